// node fuzz.js SETTINGS.json: asks every operation many times, rightly and wrongly; exit code 1 where
// an answer was a 500, was not as described, did not come, or let in somebody who must not.
// Settings beside those of walk.js: {seed, cases, workers, description?: file}.
'use strict';

const fs = require('node:fs');
const https = require('node:https');

const { Pool } = require('./pool');
const { Requests, bytesOf } = require('./requests');
const { Session } = require('./session');
const { Wire } = require('./wire');

const SECONDS = 45; // the longest that any call may take, a held one (30 s) too
const MOST_TOLD = 30;

class Fuzz {
  constructor(settings, session, pool) {
    Object.assign(this, { settings, session, pool });
    this.requests = new Requests(session, pool);
    this.told = new Map();
    this.statuses = new Map();
    this.next = 0;
    this.slowest = 0;
  }

  async run() {
    const workers = Array.from({ length: this.settings.workers }, () => this.work());
    await Promise.all(workers);
  }

  async work() {
    const kept = new Map();
    while (this.next < this.settings.cases) {
      const number = this.next;
      this.next += 1;
      const request = this.requests.make(this.settings.seed, number);
      const began = Date.now();
      try {
        this.judge(request, await this.ask(request, kept));
      } catch (error) {
        this.fault(request, null, error.message);
      }
      this.slowest = Math.max(this.slowest, Date.now() - began);
    }
    for (const wire of kept.values()) wire.close();
  }

  // Over a kept connection of the same key where there is one.
  async ask(request, kept) {
    const place = `${request.listener} ${request.pem}`;
    const port = request.listener === 'join' ? this.settings.joinPort : this.settings.adminPort;
    const options = {
      method: request.method,
      seconds: SECONDS,
      streamMs: 100,
      halfClose: Boolean(request.framing),
    };
    const bytes = bytesOf(request);
    let wire = kept.get(place);
    kept.delete(place);
    const isKept = Boolean(wire) && !wire.ended && !request.framing;
    if (!isKept) wire = new Wire({ port, pem: request.pem, from: request.from });
    let answer = await wire.ask(bytes, options);
    if (answer === null && isKept) {
      // It had been idle for too long: the request was not seen.
      wire = new Wire({ port, pem: request.pem, from: request.from });
      answer = await wire.ask(bytes, options);
    }
    const stays =
      answer && answer.isWhole && answer.headers.connection !== 'close' && wire.bytes.length === 0;
    if (stays && !request.framing && kept.size < 8) kept.set(place, wire);
    else wire.close();
    if (answer === null && wire.fault) throw new Error(`the connection ended: ${wire.fault}`);
    return answer;
  }

  judge(request, answer) {
    if (answer === null) {
      this.fault(request, answer, 'the connection ended without an answer');
      return;
    }
    this.count(request, answer);
    if (!answer.isWhole) this.fault(request, answer, 'the answer was cut off');
    const row = this.row(request, answer);
    const faults = this.isReadingRefused(request, row) ? [] : this.session.judge.faults(row);
    for (const fault of faults) this.fault(request, answer, fault);
    if (answer.status >= 500) this.fault(request, answer, 'the founder failed');
    if (answer.status >= 400) return;
    if (request.isUnreadable)
      this.fault(request, answer, `a body was taken that nobody can read (${request.spoiler})`);
    const isOpen =
      request.where.operation.security && request.where.operation.security.length === 0;
    const isStranger =
      request.listener === 'admin' ? !request.isKnown && !isOpen : !request.pem || !request.isOwner;
    const isAsked = !['OPTIONS'].includes(request.method) && request.kind === 'identity';
    const mayPoor = request.listener === 'admin' && request.operationId === 'getCluster';
    if (isStranger && isAsked && !mayPoor)
      this.fault(request, answer, 'somebody was let in who must not be');
    this.learn(request, answer);
  }

  // A head, a path or a query that cannot be read is 400 everywhere, and needs no line of its own.
  isReadingRefused(request, row) {
    if (
      row.status !== 400 ||
      !['path', 'query', 'header', 'method', 'framing'].includes(request.kind)
    )
      return false;
    const place = this.session.description.pointer(['components', 'responses', 'InvalidInput']);
    return this.session.judge.answerFaults(row, place).length === 0;
  }

  row(request, answer) {
    let { path } = request;
    try {
      path = decodeURIComponent(path);
    } catch {
      // It stays as it was sent.
    }
    return {
      listener: request.listener,
      method: request.method,
      path,
      status: answer.status,
      type: answer.headers['content-type'] || '',
      headers: answer.headers,
      body: answer.body.toString('utf8'),
      sent: request.body && !request.isUnreadable ? request.body.toString('utf8') : '',
    };
  }

  // What was made can be asked for from now on.
  learn(request, answer) {
    if (answer.status !== 201 || request.listener !== 'admin') return;
    const { id } = JSON.parse(answer.body.toString('utf8'));
    const where = { createJoinCode: 'codeId', createToken: 'tokenId' }[request.operationId];
    if (where && id && this.pool.ids[where].length < 50) this.pool.ids[where].push(id);
  }

  count(request, answer) {
    const key = request.kind === 'right' ? 'right' : 'spoiled';
    const counts = this.statuses.get(key) || new Map();
    this.statuses.set(key, counts.set(answer.status, (counts.get(answer.status) || 0) + 1));
  }

  fault(request, answer, what) {
    const how = [request.kind, request.spoiler, request.framing].filter(Boolean).join(', ');
    const key = `${request.operationId} (${how}): ${what}`;
    const told = this.told.get(key);
    if (told) {
      told.count += 1;
      return;
    }
    const sent = bytesOf(request).toString('latin1').replaceAll(this.settings.token, '…');
    const came = answer
      ? `${answer.status} ${answer.body.toString('utf8').slice(0, 300)}`
      : 'nothing';
    this.told.set(key, {
      count: 1,
      text: `case ${request.number}: ${JSON.stringify(sent.slice(0, 400))}\n    came: ${came}`,
    });
  }

  report() {
    for (const [key, { count, text }] of [...this.told].slice(0, MOST_TOLD))
      console.log(`${key} (${count} times)\n    ${text}`);
    const line = (counts) =>
      [...(counts || [])]
        .sort()
        .map(([status, count]) => `${status}: ${count}`)
        .join(', ');
    console.log(`  right requests: ${line(this.statuses.get('right'))}`);
    console.log(`  spoiled ones: ${line(this.statuses.get('spoiled'))}`);
    const kinds = this.requests.operations.length;
    console.log(
      `${this.next} requests of ${kinds} operations, seed ${this.settings.seed}, slowest ${this.slowest} ms: ${this.told.size} faults`,
    );
  }
}

async function main(settingsFile) {
  const settings = JSON.parse(fs.readFileSync(settingsFile, 'utf8'));
  const httpsAgent = new https.Agent({ rejectUnauthorized: false });
  const served = await require('axios').get(
    `https://127.0.0.1:${settings.adminPort}/openapi.json`,
    { httpsAgent },
  );
  const text = settings.description
    ? fs.readFileSync(settings.description, 'utf8')
    : JSON.stringify(served.data);
  const session = new Session(settings, text);
  const pool = new Pool(session, settings);
  await pool.fill();
  const fuzz = new Fuzz(settings, session, pool);
  await fuzz.run();
  await pool.stillWorks();
  for (const fault of session.faults) console.log(`before and after: ${fault}`);
  fuzz.report();
  return fuzz.told.size === 0 && session.faults.length === 0 ? 0 : 1;
}

main(process.argv[2]).then(
  (code) => process.exit(code),
  (error) => {
    console.error(error.stack || error);
    process.exit(1);
  },
);
