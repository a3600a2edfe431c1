// node check.js DESCRIPTION FILE.jsonl [--some]
//
// Each line is one answer that a test client saw: {listener, method, path, status, type, headers,
// body} and, where the request had a JSON body, `sent`. Beside what the description says of each
// operation, this holds for all: an unknown path is 404, another method 405 with Allow, HEAD is GET
// without a body, OPTIONS is 204 with Allow, and a problem says the status and
// the request's id that the answer has.
'use strict';

const fs = require('node:fs');
const yaml = require('js-yaml');
const Ajv = require('ajv/dist/2020').default;
const addFormats = require('ajv-formats').default;

const METHODS = ['get', 'post', 'put', 'delete', 'patch'];

class Description {
  constructor(text) {
    this.document = yaml.load(text, { schema: yaml.JSON_SCHEMA });
    this.ajv = new Ajv({ strict: false, allErrors: true, validateFormats: true });
    addFormats(this.ajv);
    this.ajv.addSchema(this.document, 'description');
    this.checks = new Map();
    this.operations = [];
    this.paths = Object.entries(this.document.paths).map(([pattern, item]) => this.path(pattern, item));
    // A path that spells a word out comes before one with an id in its place.
    this.paths.sort((a, b) => a.pattern.split('{').length - b.pattern.split('{').length);
  }

  path(pattern, item) {
    const servers = item.servers || this.document.servers;
    const listener = servers[0].url.endsWith(':8444') ? 'join' : 'admin';
    const expression = pattern.replace(/[.*+?^$()|[\]\\]/g, '\\$&').replace(/\{[^}]+\}/g, '[^/]+');
    const made = { pattern, listener, expression: new RegExp(`^${expression}$`), methods: {} };
    for (const method of METHODS) {
      if (!item[method]) continue;
      const operation = {
        name: `${listener} ${method.toUpperCase()} ${pattern}`,
        responses: {},
        request: this.pointer(['paths', pattern, method, 'requestBody']),
        seen: new Set(),
      };
      for (const status of Object.keys(item[method].responses)) {
        operation.responses[status] = this.pointer(['paths', pattern, method, 'responses', status]);
      }
      made.methods[method.toUpperCase()] = operation;
      this.operations.push(operation);
    }
    return made;
  }

  // The parts of a place in the document, references followed; null where there is nothing.
  pointer(parts) {
    let node = this.document;
    for (const part of parts) node = node && node[part];
    if (!node) return null;
    return node.$ref ? this.pointer(node.$ref.slice(2).split('/').map(unescape)) : { parts, node };
  }

  // What is wrong with a value, against the schema at this place.
  faults(parts, value) {
    const reference = `description#/${parts.map(escape).join('/')}`;
    let check = this.checks.get(reference);
    if (!check) {
      check = this.ajv.compile({ $ref: reference });
      this.checks.set(reference, check);
    }
    if (check(value)) return [];
    return check.errors.map((error) => `at “${error.instancePath}”: ${error.message} ${said(error.params)}`);
  }
}

function escape(part) {
  return encodeURIComponent(part.replace(/~/g, '~0').replace(/\//g, '~1'));
}
function unescape(part) {
  return decodeURIComponent(part).replace(/~1/g, '/').replace(/~0/g, '~');
}
function said(params) {
  return JSON.stringify(params).slice(0, 200);
}
function parsed(text) {
  try {
    return { value: JSON.parse(text) };
  } catch (error) {
    return { fault: `is not JSON: ${error.message}` };
  }
}

// The judgement of one answer; `faults` are sentences.
class Judge {
  constructor(description) {
    this.description = description;
  }

  faults(answer) {
    // Described, so that a client knows its shape; and never to be seen in a test.
    if (answer.status === 500) return ['the founder failed'];
    const path = this.description.paths.find(
      (one) => one.listener === answer.listener && one.expression.test(answer.path),
    );
    const method = answer.method === 'HEAD' ? 'GET' : answer.method;
    const general = this.generalAnswer(answer, path, method);
    if (general) return general;
    const operation = path.methods[method];
    const response = operation.responses[answer.status];
    if (!response) return [`status ${answer.status} is not described`];
    if (answer.method !== 'HEAD') operation.seen.add(String(answer.status));
    return [...this.answerFaults(answer, response), ...this.requestFaults(answer, operation)];
  }

  // What no operation describes; null where one does.
  generalAnswer(answer, path, method) {
    const as = (name) => this.answerFaults(answer, this.description.pointer(['components', 'responses', name]));
    // The join listener knows nobody's paths before it knows a certificate.
    if (answer.listener === 'join' && answer.status === 401) {
      return path && path.methods[method] ? null : as('Unauthenticated');
    }
    if (!path) {
      if (answer.status === 404) return as('NotFound');
      if (answer.status === 400) return as('InvalidInput');
      return ['the path is not described'];
    }
    // Any call can come too often; where it is part of what a call does it is described there.
    if (answer.status === 429 && !(path.methods[method] || { responses: {} }).responses[429]) {
      return as('TooManyRequests');
    }
    if (path.methods[method]) return null;
    const allowed = [...Object.keys(path.methods), 'OPTIONS'];
    if (path.methods.GET) allowed.push('HEAD');
    const allow = (answer.headers.allow || '').split(', ').sort().join(', ');
    const faults = [];
    if (allow !== allowed.sort().join(', ')) faults.push(`Allow is “${allow}”, not “${allowed.join(', ')}”`);
    if (answer.method === 'OPTIONS') {
      if (answer.status !== 204) faults.push(`OPTIONS answered ${answer.status}`);
      return [...faults, ...this.idFaults(answer)];
    }
    if (answer.status !== 405) faults.push(`the method is not described, and not refused by 405 but ${answer.status}`);
    return [...faults, ...as('MethodNotAllowed')];
  }

  idFaults(answer) {
    return /^[0-9a-f]{16}$/.test(answer.headers['x-request-id'] || '') ? [] : ['X-Request-Id is missing or malformed'];
  }

  answerFaults(answer, response) {
    return [...this.idFaults(answer), ...this.headerFaults(answer, response), ...this.bodyFaults(answer, response)];
  }

  headerFaults(answer, response) {
    const faults = [];
    for (const name of Object.keys(response.node.headers || {})) {
      const header = this.description.pointer([...response.parts, 'headers', name]);
      const value = answer.headers[name.toLowerCase()];
      if (value === undefined) {
        if (header.node.required) faults.push(`the header ${name} is missing`);
        continue;
      }
      const typed = header.node.schema.type === 'integer' ? Number(value) : value;
      for (const fault of this.description.faults([...header.parts, 'schema'], typed)) {
        faults.push(`the header ${name} “${value}” ${fault}`);
      }
    }
    return faults;
  }

  bodyFaults(answer, response) {
    const type = (answer.type || '').split(';')[0].trim().toLowerCase();
    const described = Object.keys(response.node.content || {});
    if (described.length === 0) {
      return type || answer.body ? [`nothing is described, and “${type}” came`] : [];
    }
    if (!described.includes(type)) return [`the type “${type}” is not described`];
    if (answer.method === 'HEAD') return answer.body ? ['an answer to HEAD has a body'] : [];
    const { value, fault } = type.endsWith('json') ? parsed(answer.body) : { value: answer.body };
    if (fault) return [`the body ${fault}`];
    const faults = this.description.faults([...response.parts, 'content', type, 'schema'], value);
    if (type === 'application/problem+json') {
      if (value.status !== answer.status) faults.push(`the problem says status ${value.status}`);
      if (value.requestId !== answer.headers['x-request-id']) faults.push('the problem has another requestId');
    }
    return faults.map((one) => `the body ${one}`);
  }

  // What was taken must be what the description lets through.
  requestFaults(answer, operation) {
    if (!answer.sent || answer.status >= 300) return [];
    if (!operation.request) return [];
    const { value, fault } = parsed(answer.sent);
    if (fault) return [`a body was taken that ${fault}`];
    const parts = [...operation.request.parts, 'content', 'application/json', 'schema'];
    return this.description.faults(parts, value).map((one) => `a body was taken that does not fit: ${one}`);
  }
}

// What every call can answer and no test has to show on each: a fault of the founder, and 429 where
// it is not part of what the call does.
function isRare(operation, status) {
  return status === '500' || (status === '429' && operation.name !== 'join POST /v1/join/registrations');
}

function main(descriptionFile, answersFile, some) {
  const description = new Description(fs.readFileSync(descriptionFile, 'utf8'));
  const judge = new Judge(description);
  const told = new Map();
  let answers = 0;
  for (const line of fs.readFileSync(answersFile, 'utf8').split('\n')) {
    if (!line) continue;
    answers += 1;
    const answer = JSON.parse(line);
    for (const fault of judge.faults(answer)) {
      const text = `${answer.listener} ${answer.method} ${answer.path} ${answer.status}: ${fault}`;
      told.set(text, (told.get(text) || 0) + 1);
    }
  }
  for (const [text, count] of told) console.log(count > 1 ? `${text} (${count} times)` : text);
  let missing = 0;
  let pairs = 0;
  for (const operation of description.operations) {
    for (const status of Object.keys(operation.responses)) {
      pairs += 1;
      if (operation.seen.has(status) || isRare(operation, status)) continue;
      missing += 1;
      if (!some) console.log(`never seen: ${operation.name} ${status}`);
    }
  }
  console.log(`${answers} answers: ${told.size} faults; ${pairs} pairs of route and status: ${missing} never seen`);
  return answers > 0 && told.size === 0 && (some || missing === 0) ? 0 : 1;
}

module.exports = { Description, Judge };
if (require.main === module) {
  process.exit(main(process.argv[2], process.argv[3], process.argv[4] === '--some'));
}
