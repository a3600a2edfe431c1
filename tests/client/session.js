// A client that a library makes out of the founder's own description: each operation is a method
// by its operationId. Every answer is judged against the description as it comes.
'use strict';

const https = require('node:https');
const axios = require('axios');
const { OpenAPIClientAxios } = require('openapi-client-axios');

const { Description, Judge } = require('../openapi/check.js');

class Session {
  // `settings`: {adminPort, joinPort, token, …}; `document`: the description, JSON or YAML text.
  constructor(settings, document) {
    this.settings = settings;
    this.description = new Description(document);
    this.judge = new Judge(this.description);
    this.faults = [];
    this.answers = 0;
    this.asked = new Map(); // operationId → statuses
    this.admin = this.client(this.on('admin'));
    this.stranger = this.client({ ...this.on('admin'), headers: {} });
  }

  on(listener) {
    const port = listener === 'join' ? this.settings.joinPort : this.settings.adminPort;
    const headers = listener === 'join' ? {} : { Authorization: `Bearer ${this.settings.token}` };
    return { baseURL: `https://127.0.0.1:${port}`, headers };
  }

  withToken(token) {
    return this.client({ ...this.on('admin'), headers: { Authorization: `Bearer ${token}` } });
  }

  // Of a machine; without a key, of nobody.
  joiner(pem) {
    return this.client(this.on('join'), pem ? { key: pem, cert: pem } : {});
  }

  client(config, tls = {}) {
    const agent = new https.Agent({ rejectUnauthorized: false, keepAlive: true, ...tls });
    const definition = JSON.parse(JSON.stringify(this.description.document));
    const api = new OpenAPIClientAxios({ definition, quick: true });
    api.instance = axios.create({
      ...config,
      httpsAgent: agent,
      timeout: 40000,
      responseType: 'text',
      transformResponse: (text) => text,
      validateStatus: () => true,
      maxRedirects: 0,
      proxy: false,
    });
    const made = api.initSync();
    // A path's own servers are known to the library for operations alone: our base goes first.
    made.interceptors.request.use((request) => ({ ...request, baseURL: config.baseURL }));
    made.interceptors.response.use((answer) => this.seen(answer));
    return made;
  }

  seen(answer) {
    const { request, config } = answer;
    const [path] = request.path.split('?');
    const isStream = config.responseType === 'stream';
    const row = {
      listener: config.baseURL.endsWith(`:${this.settings.joinPort}`) ? 'join' : 'admin',
      method: request.method,
      path: decodeURIComponent(path),
      status: answer.status,
      type: answer.headers['content-type'] || '',
      headers: Object.fromEntries(Object.entries(answer.headers)),
      body: isStream
        ? ''
        : Buffer.isBuffer(answer.data)
          ? answer.data.toString('latin1')
          : answer.data,
      sent: typeof config.data === 'string' ? config.data : '',
    };
    this.answers += 1;
    for (const fault of this.judge.faults(row)) {
      this.faults.push(`${row.listener} ${row.method} ${row.path} ${row.status}: ${fault}`);
    }
    this.note(row);
    if ((row.type.endsWith('json') || row.type.includes('json;')) && !isStream)
      answer.json = JSON.parse(row.body);
    return answer;
  }

  note(row) {
    for (const [operationId, where] of this.operations()) {
      if (where.listener !== row.listener || where.method !== row.method) continue;
      const pattern = this.description.paths.find(
        (one) => one.listener === row.listener && one.expression.test(row.path),
      );
      if (!pattern || pattern.pattern !== where.pattern) continue;
      this.asked.set(operationId, (this.asked.get(operationId) || new Set()).add(row.status));
    }
  }

  // [operationId, {listener, method, pattern, operation, parameters}] of all.
  operations() {
    if (this.all) return this.all;
    this.all = [];
    const paths = this.description.document.paths;
    for (const { pattern, listener, methods } of this.description.paths) {
      for (const method of Object.keys(methods)) {
        const operation = paths[pattern][method.toLowerCase()];
        const given = [...(paths[pattern].parameters || []), ...(operation.parameters || [])];
        const parameters = given.map((one) =>
          one.$ref ? this.description.pointer(one.$ref.slice(2).split('/')).node : one,
        );
        this.all.push([
          operation.operationId,
          { listener, method, pattern, operation, parameters },
        ]);
      }
    }
    return this.all;
  }
}

module.exports = { Session };
