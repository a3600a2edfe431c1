// node walk.js SETTINGS.json: drives every operation of the founder's own description by a client
// that was made out of it, along real joins; ends with exit code 1 where anything was not as said.
'use strict';

const assert = require('node:assert/strict');
const crypto = require('node:crypto');
const fs = require('node:fs');
const https = require('node:https');

const { Dice } = require('./dice');
const { Generator } = require('./generator');
const { Joiner } = require('./joiner');
const { Session } = require('./session');

const LINKS = [{ name: 'data', interface: 'enp2s0', purposes: ['storage', 'overlay'] }];
const sha256 = (text) => crypto.createHash('sha256').update(text).digest('hex');

// The answer, if its status is the wanted one.
async function got(status, call, what) {
  const answer = await call;
  assert.equal(
    answer.status,
    status,
    `${what || ''} ${answer.request.method} ${answer.request.path}: ${answer.data}`,
  );
  return answer;
}

async function refused(status, code, call) {
  const answer = await got(status, call);
  assert.equal(answer.json.code, code);
  return answer;
}

async function until(what, look) {
  for (const end = Date.now() + 30000; ;) {
    const found = await look();
    if (found) return found;
    assert.ok(Date.now() < end, `still no ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

// The first bytes of an event stream that hold the wanted text.
async function streamed({ status, data }, wanted) {
  assert.equal(status, 200);
  let text = '';
  const timer = setTimeout(() => data.destroy(new Error(`no ${wanted} in the stream`)), 10000);
  for await (const piece of data) {
    text += piece;
    if (text.includes(wanted)) break;
  }
  clearTimeout(timer);
  data.destroy();
  assert.ok(text.includes(wanted), text);
}

class Walk {
  constructor(settings, session) {
    Object.assign(this, { settings, session, admin: session.admin, machines: 0 });
    this.inventory = JSON.parse(fs.readFileSync(settings.inventory, 'utf8'));
  }

  async service() {
    const { admin, stranger } = this.session;
    await got(200, stranger.getHealth());
    await got(200, stranger.getFrontPage());
    await got(200, stranger.getDescription());
    await got(200, admin.getMetrics());
    await refused(401, 'UNAUTHENTICATED', stranger.getCluster());
    await refused(401, 'UNAUTHENTICATED', this.session.withToken('fbt_nothing').listAudit());
    const cluster = await got(200, admin.getCluster());
    assert.equal(cluster.json.founderKey, this.settings.key);
    assert.ok((await got(200, admin.listNetworks())).json.networks.length > 0);
    assert.ok(
      (await got(200, admin.listMembers())).json.members.some((one) => one.name === 'alpha'),
    );
  }

  async codes() {
    const { admin } = this;
    const made = (await got(201, admin.createJoinCode(null, { maxUses: 20, note: 'the walk' })))
      .json;
    this.code = made.code;
    assert.ok(
      (await got(200, admin.listJoinCodes())).json.joinCodes.some((one) => one.id === made.id),
    );
    const short = (await got(201, admin.createJoinCode())).json;
    await got(204, admin.revokeJoinCode(short.id));
    const machine = new Joiner(900, this.settings.key, this.inventory);
    const late = this.session
      .joiner(machine.pem)
      .registerJoiner(null, machine.registration(short.code));
    await refused(403, 'JOIN_CODE_INVALID', late);
    await refused(404, 'NOT_FOUND', admin.revokeJoinCode('00000000'));
    await refused(400, 'INVALID_INPUT', admin.createJoinCode(null, { maxUses: 0 }));
    await got(204, admin.liftRegistrationPause());
  }

  // A machine that has registered and revealed; `api` is its client.
  async paired() {
    this.machines += 1;
    const machine = new Joiner(this.machines, this.settings.key, this.inventory);
    machine.api = this.session.joiner(machine.pem);
    const answer = await got(
      201,
      machine.api.registerJoiner(null, machine.registration(this.code)),
    );
    assert.ok(machine.accepts(answer.json), "the founder's proof holds");
    await got(200, machine.api.registerJoiner(null, machine.registration(this.code)));
    await got(200, machine.api.revealJoiner(machine.id, machine.reveal));
    return machine;
  }

  async pairing() {
    const { admin } = this;
    const machine = await this.paired();
    const listed = (await got(200, admin.listNodeJoins({ state: 'pending' }))).json.joins;
    assert.equal(listed.find((one) => one.id === machine.id).pairingCode, machine.pairingCode);
    const one = await got(200, admin.getNodeJoin(machine.id));
    const etag = one.headers.etag;
    assert.equal(etag, `"${one.json.revision}"`);
    await got(304, admin.getNodeJoin({ joinId: machine.id, 'If-None-Match': etag }));
    const view = await got(200, machine.api.getRegistration(machine.id));
    await got(
      304,
      machine.api.getRegistration({
        joinId: machine.id,
        wait: 1,
        'If-None-Match': view.headers.etag,
      }),
    );
    const more = { ...machine.inventory, warnings: ['a fan is loud'] };
    await got(200, machine.api.putInventory(machine.id, more));
    assert.notEqual(
      (await got(200, admin.getNodeJoin(machine.id))).headers.etag,
      etag,
      'the revision moved',
    );
    await refused(409, 'JOIN_STATE_CONFLICT', machine.api.fetchNodeYaml(machine.id));
    await refused(409, 'JOIN_STATE_CONFLICT', machine.api.fetchBundle(machine.id));
    await refused(401, 'UNAUTHENTICATED', this.session.joiner().getRegistration(machine.id));
    const other = this.session.joiner(new Joiner(901, this.settings.key, this.inventory).pem);
    await refused(403, 'JOIN_KEY_MISMATCH', other.getRegistration(machine.id));
    return { machine, etag };
  }

  async approval({ machine, etag }) {
    const { admin } = this;
    const approve = (body, more = {}) =>
      admin.approveNodeJoin({ joinId: machine.id, ...more }, body);
    const body = { assignment: { name: 'beta', links: LINKS }, pairingCode: machine.pairingCode };
    const dry = (await got(200, approve(body, { dryRun: true }))).json;
    assert.ok(dry.nodeYaml.includes('beta') && Array.isArray(dry.wipes));
    assert.equal(
      (await got(200, admin.getNodeJoin(machine.id))).json.state,
      'pending',
      'a dry run writes nothing',
    );
    await refused(412, 'PRECONDITION_FAILED', approve(body, { 'If-Match': etag }));
    await refused(409, 'JOIN_APPROVAL_REFUSED', approve({ ...body, pairingCode: '222-222' }));
    await refused(400, 'INVALID_INPUT', approve({ assignment: { links: 'none' } }));
    const before = await got(200, machine.api.getRegistration(machine.id));
    const held = machine.api.getRegistration({
      joinId: machine.id,
      wait: 30,
      'If-None-Match': before.headers.etag,
    });
    const approved = (await got(200, approve(body))).json;
    assert.equal((await got(200, held, 'the wait ends')).json.nodeId, approved.nodeId);
    return this.delivered(machine);
  }

  async delivered(machine) {
    const view = await until('delivery', async () => {
      const { json } = await got(200, machine.api.getRegistration(machine.id));
      return json.state === 'delivering' && json;
    });
    const shown = await got(200, this.admin.getNodeJoinYaml(machine.id));
    const fetched = await got(200, machine.api.fetchNodeYaml(machine.id));
    assert.equal(shown.data, fetched.data);
    for (const hash of [view.nodeYamlSha256, fetched.headers['x-content-sha256']]) {
      assert.equal(sha256(fetched.data), hash);
    }
    const raw = { responseType: 'arraybuffer' };
    const bundle = await machine.api.get(`/v1/join/registrations/${machine.id}/bundle`, raw);
    assert.equal(sha256(bundle.data), view.bundleSha256);
    await got(200, machine.api.fetchBundle(machine.id));
  }

  async running(machine) {
    const { admin } = this;
    const tell = (body) => machine.api.reportProgress(machine.id, body);
    const line = { seq: 1, at: '2026-01-02T03:04:05Z', line: 'it begins' };
    const steps = [
      { name: 'network', status: 'done' },
      { name: 'storage', status: 'running', percent: 40 },
    ];
    const asStream = { responseType: 'stream', headers: { Accept: 'text/event-stream' } };
    const one = await admin.watchNodeJoin(machine.id, null, asStream);
    assert.equal((await got(200, tell({ attempt: 1, steps, log: [line] }))).json.lastSeq, 1);
    await streamed(one, 'it begins');
    await streamed(await admin.watchNodeJoins(null, null, asStream), machine.id);
    const failed = [{ name: 'storage', status: 'failed', error: 'no such disk' }];
    await got(200, tell({ attempt: 1, steps: failed, result: 'failed' }));
    const join = (await got(200, admin.getNodeJoin(machine.id))).json;
    assert.deepEqual([join.state, join.failedStep], ['failed', 'storage']);
    assert.equal((await got(200, admin.retryNodeJoin(machine.id))).json.attempt, 2);
    await this.delivered(machine);
    await got(
      200,
      tell({ attempt: 2, steps: [{ name: 'storage', status: 'done' }], result: 'joined' }),
    );
    await refused(409, 'JOIN_STATE_CONFLICT', admin.retryNodeJoin(machine.id));
    const beat = { generationApplied: 1, healthy: true };
    assert.ok((await got(200, machine.api.sendHeartbeat(null, beat))).json.generation > 0);
    const members = (await got(200, admin.listMembers())).json.members;
    assert.equal(members.find((one) => one.name === 'beta').status, 'joined');
  }

  async rejection() {
    const machine = await this.paired();
    const reject = () => this.admin.rejectNodeJoin(machine.id, { reason: 'not this rack' });
    assert.equal((await got(200, reject())).json.endedReason, 'not this rack');
    await refused(409, 'JOIN_STATE_CONFLICT', reject());
    await refused(404, 'NOT_FOUND', this.admin.rejectNodeJoin('nj-00000000'));
  }

  async access() {
    const { admin } = this;
    const allow = (actions) => ({
      version: 1,
      statements: [{ effect: 'allow', actions, resources: ['*'] }],
    });
    const body = { note: 'reads', policy: allow(['ha:ListNodeJoins']) };
    const made = (await got(201, admin.createToken(null, body))).json;
    const reader = this.session.withToken(made.token);
    await got(200, reader.listNodeJoins());
    await refused(403, 'FORBIDDEN', reader.createJoinCode());
    assert.ok((await got(200, admin.listTokens())).json.tokens.some((one) => one.id === made.id));
    await got(204, admin.revokeToken(made.id));
    await refused(401, 'UNAUTHENTICATED', reader.listNodeJoins());
    const bad = await refused(
      400,
      'INVALID_INPUT',
      admin.createToken(null, { policy: allow(['ha:Nothing']) }),
    );
    assert.equal(bad.json.issues[0].code, 'UNKNOWN_ACTION');
  }

  // Page by page: each entry once, the oldest last, and what was done is in it.
  async audit() {
    const entries = [];
    for (let cursor; ;) {
      const page = (
        await got(200, this.admin.listAudit({ limit: 3, ...(cursor ? { cursor } : {}) }))
      ).json;
      entries.push(...page.entries);
      cursor = page.nextCursor;
      if (!cursor) break;
    }
    const ids = entries.map((one) => one.seq);
    assert.equal(new Set(ids).size, ids.length);
    assert.deepEqual(
      ids,
      [...ids].sort((a, b) => b - a),
    );
    const done = new Set(entries.map((one) => `${one.action} ${one.result}`));
    for (const wanted of [
      'cluster.join.approved ok',
      'cluster.join.approved refused',
      'cluster.join.retried ok',
    ]) {
      assert.ok(done.has(wanted), wanted);
    }
  }

  // What the walk knows nothing of is asked with what fits its schemas; it has to answer as described.
  async others() {
    const dice = new Dice(1);
    const generator = new Generator(this.session.description, {});
    const left = this.session.operations().filter(([name]) => !this.session.asked.has(name));
    for (const [name, where] of left) {
      const machine = await this.paired();
      const client = where.listener === 'join' ? machine.api : this.admin;
      const values = {};
      for (const one of where.parameters) {
        if (one.name === 'joinId') values.joinId = machine.id;
        else if (one.required)
          values[one.name] = generator.value(one.schema, dice, 0, one.name) || 'x';
      }
      const request = this.session.description.pointer([
        'paths',
        where.pattern,
        where.method.toLowerCase(),
        'requestBody',
      ]);
      const place =
        request &&
        this.session.description.pointer([
          ...request.parts,
          'content',
          'application/json',
          'schema',
        ]);
      const answer = await client[name](values, place ? generator.fitting(place, dice) : undefined);
      console.log(`  ${name}: asked with what fits, answered ${answer.status}`);
    }
  }
}

async function main(settingsFile) {
  const settings = JSON.parse(fs.readFileSync(settingsFile, 'utf8'));
  const agent = new https.Agent({ rejectUnauthorized: false });
  const served = await require('axios').get(
    `https://127.0.0.1:${settings.adminPort}/openapi.json`,
    { httpsAgent: agent },
  );
  const session = new Session(settings, JSON.stringify(served.data));
  const walk = new Walk(settings, session);
  await walk.service();
  await walk.codes();
  const first = await walk.pairing();
  await walk.approval(first);
  await walk.running(first.machine);
  await walk.rejection();
  await walk.access();
  await walk.audit();
  await walk.others();
  for (const fault of session.faults) console.log(fault);
  const never = session.operations().filter(([name]) => !session.asked.has(name));
  for (const [name] of never) console.log(`never asked: ${name}`);
  console.log(
    `${session.answers} answers, ${session.asked.size} of ${session.operations().length} operations, ${session.faults.length} faults`,
  );
  return session.faults.length === 0 && never.length === 0 ? 0 : 1;
}

main(process.argv[2]).then(
  (code) => process.exit(code),
  (error) => {
    console.error(error.stack || error);
    process.exit(1);
  },
);
