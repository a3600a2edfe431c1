// Requests for every operation of a description, one a case: most of them right by its schemas, the
// others spoiled in one way.
'use strict';

const { Dice } = require('./dice');
const { Generator, SPOILERS } = require('./generator');

// Never to be taken, whatever a schema says.
const UNREADABLE = new Set(['duplicate', 'deep', 'badUtf8', 'cut', 'bom', 'utf16']);
const METHODS = [
  'GET',
  'HEAD',
  'POST',
  'PUT',
  'DELETE',
  'PATCH',
  'OPTIONS',
  'TRACE',
  'FOO',
  'PROPFIND',
  'get',
  'G-T',
];
const ODD_VALUES = [
  '',
  ' ',
  '-1',
  '0',
  '1.5',
  'x',
  '%',
  '%zz',
  '%00',
  '%ff',
  '+',
  '1&',
  '99999999999999999999',
  '%E2%80%AE',
  'true',
  'null',
  '1'.repeat(3000),
  '..',
  '"1"',
  '%22%22',
];
const ODD_TYPES = [
  'text/plain',
  'application/xml',
  '',
  'application/json; charset=latin1',
  'application/json;',
  'APPLICATION/JSON',
  'multipart/form-data; boundary=x',
  'application/x-www-form-urlencoded',
  ';',
  'application/problem+json',
  'application/json, text/plain',
];
const ODD_HEADERS = [
  ['Accept', 'image/png'],
  ['Accept', ''],
  ['Accept', '*/*;q=0'],
  ['Accept', 'application/json;q=0, */*'],
  ['Accept', 'text/html,;;;q=,*'],
  ['If-Match', '"x"'],
  ['If-Match', '*'],
  ['If-None-Match', 'W/"1", *'],
  ['If-None-Match', ','],
  ['Idempotency-Key', 'k'.repeat(300)],
  ['Idempotency-Key', ''],
  ['Range', 'bytes=5-1'],
  ['Cookie', 'a=b'],
  ['Expect', '200-ok'],
  ['Upgrade', 'websocket'],
  ['X-Forwarded-For', '10.0.0.1'],
  ['X-HTTP-Method-Override', 'DELETE'],
  ['X-Long', 'l'.repeat(9000)],
  ['X-Latin', '\u00e4\u00ff'],
  ['Content-Encoding', 'gzip'],
  ['Accept-Encoding', 'gzip;q=1, br'],
  ['Connection', 'close'],
  ['Connection', 'upgrade, keep-alive'],
  ['Origin', 'null'],
];
// What makes a head that has to be refused, or that two readers could read in two ways.
const FRAMINGS = {
  'a header without a colon': (head) => head.replace('\r\n', '\r\nnothing here\r\n'),
  'a folded header': (head) => head.replace('\r\n', '\r\nX-Folded: a\r\n b\r\n'),
  'a zero byte': (head) => head.replace('\r\n', '\r\nX-Zero: a\0b\r\n'),
  'seventy headers': (head) => head.replace('\r\n', `\r\n${'X-Many: 1\r\n'.repeat(70)}`),
  'a head of 20 KiB': (head) => head.replace('\r\n', `\r\nX-Large: ${'h'.repeat(20000)}\r\n`),
  'no Host': (head) => head.replace(/Host: [^\r]*\r\n/, ''),
  'two Hosts': (head) => head.replace('Host:', 'Host: other\r\nHost:'),
  'HTTP/1.0': (head) => head.replace('HTTP/1.1', 'HTTP/1.0'),
  'HTTP/2.0': (head) => head.replace('HTTP/1.1', 'HTTP/2.0'),
  'HTTP/9': (head) => head.replace('HTTP/1.1', 'HTTP/9'),
  'no version': (head) => head.replace(' HTTP/1.1', ''),
  'two lengths': (head) => head.replace('\r\n', '\r\nContent-Length: 1\r\nContent-Length: 2\r\n'),
  'length and chunks': (head) =>
    head.replace('\r\n', '\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n'),
  'a length below zero': (head) => head.replace('\r\n', '\r\nContent-Length: -5\r\n'),
  'a length that is no number': (head) => head.replace('\r\n', '\r\nContent-Length: 5x\r\n'),
  'a length past all': (head) =>
    head.replace('\r\n', '\r\nContent-Length: 99999999999999999999999\r\n'),
  'an unknown coding': (head) => head.replace('\r\n', '\r\nTransfer-Encoding: gzip, chunked\r\n'),
  'a chunk that is none': (head) =>
    `${head.replace('\r\n', '\r\nTransfer-Encoding: chunked\r\n')}zz\r\n`,
  'more than comes': (head) => head.replace('\r\n', '\r\nContent-Length: 1000\r\n'),
  'line feeds alone': (head) => head.replace(/\r\n/g, '\n').replace(/\n\n$/, '\r\n\r\n'),
  'an empty line before': (head) => `\r\n${head}`,
  'two empty lines before': (head) => `\r\n\r\n${head}`,
  'a space before the colon': (head) => head.replace('Host:', 'Host :'),
  'a space before the first header': (head) => head.replace('\r\n', '\r\n '),
  'a line feed where a head could end': (head) => head.replace('\r\n', '\n\r\n'),
  'a coding that is none': (head) => head.replace('\r\n', '\r\nTransfer-Encoding: identity\r\n'),
  'two codings': (head) =>
    head.replace('\r\n', '\r\nTransfer-Encoding: chunked\r\ntransfer-encoding: chunked\r\n'),
  'a chunk with a line feed in its note': (head) =>
    `${head.replace('\r\n', '\r\nTransfer-Encoding: chunked\r\n')}2;a\nb\r\n{}\r\n0\r\n\r\n`,
  'a chunk past all': (head) =>
    `${head.replace('\r\n', '\r\nTransfer-Encoding: chunked\r\n')}ffffffffffffffff\r\n{}\r\n`,
  'a path of another host': (head) => head.replace(' /', ' http://other/'),
  'close beside keep-alive': (head) =>
    head.replace('\r\n', '\r\nConnection: keep-alive, close\r\n'),
  'the whole address': (head) => head.replace(' /', ' https://founder:1/'),
};
const PATH_TRICKS = [
  (path) => `${path}/`,
  (path) => path.replace('/', '//'),
  (path) => path.replace('/v1', '/v1/.'),
  (path) => path.replace('/v1/', '/v1/x/../'),
  (path) => path.replace('/v1/', '/v1/%2e%2e/v1/'),
  (path) => path.replace(/[a-z]/, (letter) => `%${letter.charCodeAt(0).toString(16)}`),
  (path) => `${path}%00`,
  (path) => `${path}%ff`,
  (path) => `${path}%`,
  (path) => `${path}%2f`,
  (path) => `${path};v=1`,
  (path) => `${path}#part`,
  (path) => path.toUpperCase(),
  (path) => `${path}/${'x'.repeat(5000)}`,
  (path) => `${path}\\..\\..`,
  (path) => path.slice(1),
  () => '*',
  () => '/%2e%2e/%2e%2e/etc/passwd',
  () => '/v1/join/registrations/../../../etc/passwd',
];

class Requests {
  // `pool`: {ids: {path parameter: [values]}, hints, tokens: {full, poor, gone}, keys: {joinId: pem},
  // strangers: [pem]}; it may grow while requests are made.
  constructor(session, pool) {
    this.session = session;
    this.description = session.description;
    this.operations = session.operations();
    this.pool = pool;
    this.generator = new Generator(this.description, pool.hints);
  }

  make(seed, number) {
    const dice = new Dice(Math.imul(seed, 2654435761) + Math.imul(number, 40503) + number);
    const [operationId, where] = this.operations[number % this.operations.length];
    const request = {
      number,
      operationId,
      where,
      kind: this.kind(where, dice),
      listener: where.listener,
    };
    request.method = where.method;
    request.headers = [['Host', 'founder']];
    request.values = this.parameters(where, dice);
    request.path = where.pattern.replace(/\{([^}]+)\}/g, (_, name) =>
      encodeURIComponent(request.values.path[name]),
    );
    request.query = Object.entries(request.values.query)
      .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
      .join('&');
    request.headers.push(...Object.entries(request.values.header));
    this.identify(request, dice);
    this.fill(request, dice);
    this.spoil(request, dice);
    request.from = `127.${dice.between(0, 250)}.${dice.between(0, 250)}.${dice.between(1, 250)}`;
    return request;
  }

  kind(where, dice) {
    const hasBody = this.place(where) !== null;
    if (dice.chance(0.45)) return 'right';
    if (hasBody && dice.chance(0.6)) return 'body';
    return dice.of([
      'query',
      'query',
      'header',
      'header',
      'method',
      'path',
      'path',
      'type',
      'identity',
      'framing',
    ]);
  }

  place(where) {
    const request = this.description.pointer([
      'paths',
      where.pattern,
      where.method.toLowerCase(),
      'requestBody',
    ]);
    if (!request || !request.node.content['application/json']) return null;
    return this.description.pointer([...request.parts, 'content', 'application/json', 'schema']);
  }

  parameters(where, dice) {
    const values = { path: {}, query: {}, header: {} };
    for (const one of where.parameters) {
      if (one.in !== 'path' && !one.required && dice.chance(0.6)) continue;
      const known = this.pool.ids[one.name] || [];
      const isKnown = known.length > 0 && dice.chance(one.in === 'path' ? 0.85 : 0.6);
      let value = isKnown ? dice.of(known) : this.generator.value(one.schema, dice, 0, one.name);
      if (one.name === 'wait') value = dice.of([0, 0, 1]);
      if (one.in === 'path' && ['', '.', '..'].includes(value)) value = '-';
      values[one.in][one.name] =
        one.in === 'header' ? String(value).replace(/[^ -~]/g, '') : String(value);
    }
    return values;
  }

  // Who asks: mostly somebody who may.
  identify(request, dice) {
    const { pool, where } = { pool: this.pool, where: request.where };
    const odd = request.kind === 'identity';
    if (where.listener === 'join') {
      const owner = pool.keys[request.values.path.joinId] || dice.of(Object.values(pool.keys));
      request.pem = odd
        ? dice.of([null, dice.of(pool.strangers), dice.of(Object.values(pool.keys))])
        : owner;
      request.isOwner = request.pem === owner || !request.values.path.joinId;
      return;
    }
    const token = odd
      ? dice.of([
          null,
          pool.tokens.gone,
          pool.tokens.poor,
          'fbt_',
          'x'.repeat(5000),
          `${pool.tokens.full}x`,
        ])
      : pool.tokens.full;
    const scheme = odd ? dice.of(['Bearer', 'Bearer', 'Basic', 'bearer ', '']) : 'Bearer';
    request.isKnown = token === pool.tokens.full && scheme.trim().toLowerCase() === 'bearer';
    if (token !== null) request.headers.push(['Authorization', `${scheme} ${token}`]);
  }

  fill(request, dice) {
    const place = this.place(request.where);
    if (!place) return;
    const value = this.generator.fitting(place, dice);
    request.body = Buffer.from(JSON.stringify(value));
    if (request.kind === 'body') {
      request.spoiler = dice.of(Object.keys(SPOILERS));
      const spoiled = SPOILERS[request.spoiler](value, dice);
      const same = request.body.equals(Buffer.from(spoiled));
      request.body = Buffer.from(spoiled);
      request.isUnreadable = UNREADABLE.has(request.spoiler) && !same && request.body.length > 0;
    }
    if (request.kind !== 'type') request.headers.push(['Content-Type', 'application/json']);
  }

  spoil(request, dice) {
    if (request.kind === 'type') request.headers.push(['Content-Type', dice.of(ODD_TYPES)]);
    if (request.kind === 'method') request.method = dice.of(METHODS);
    if (request.kind === 'path') request.path = dice.of(PATH_TRICKS)(request.path) || '/';
    if (request.kind === 'header')
      request.headers.push(
        dice.of(ODD_HEADERS),
        ...(dice.chance(0.3) ? [dice.of(ODD_HEADERS)] : []),
      );
    if (request.kind === 'query') {
      const known = request.where.parameters
        .filter((one) => one.in === 'query')
        .map((one) => one.name);
      const name = dice.of([...known, ...known, 'unknown', '', '%00', 'x-free']);
      request.query += `${request.query ? dice.of(['&', '&&', ';']) : ''}${name}${dice.of(['=', '=', ''])}${dice.of(ODD_VALUES)}`;
    }
    if (request.kind === 'framing') {
      request.framing = dice.of(Object.keys(FRAMINGS));
      request.body = null;
      request.headers = request.headers.filter(([name]) => name !== 'Content-Type');
    }
    request.isChunked = request.body && request.kind !== 'framing' && dice.chance(0.1);
    request.expects = request.body && request.kind !== 'framing' && dice.chance(0.03);
  }
}

// The bytes of a request.
function bytesOf(request) {
  const target = request.path + (request.query ? `?${request.query}` : '');
  const lines = [
    `${request.method} ${target} HTTP/1.1`,
    ...request.headers.map(([name, value]) => `${name}: ${value}`),
  ];
  let body = request.body || Buffer.alloc(0);
  if (request.expects) lines.push('Expect: 100-continue');
  if (request.isChunked) {
    lines.push('Transfer-Encoding: chunked');
    const middle = body.length >> 1;
    const chunk = (piece) =>
      piece.length > 0
        ? [Buffer.from(`${piece.length.toString(16)}\r\n`), piece, Buffer.from('\r\n')]
        : [];
    body = Buffer.concat([
      ...chunk(body.subarray(0, middle)),
      ...chunk(body.subarray(middle)),
      Buffer.from('0\r\n\r\n'),
    ]);
  } else if (request.body) {
    lines.push(`Content-Length: ${body.length}`);
  }
  let head = `${lines.join('\r\n')}\r\n\r\n`;
  if (request.framing) head = FRAMINGS[request.framing](head);
  return Buffer.concat([Buffer.from(head, 'latin1'), body]);
}

module.exports = { Requests, bytesOf };
