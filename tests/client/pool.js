// A founder with something of everything in it: joins in each state that can be had, codes, tokens.
'use strict';

const fs = require('node:fs');

const { Joiner } = require('./joiner');

const LINKS = [{ name: 'data', interface: 'enp2s0', purposes: ['storage', 'overlay'] }];
const HINTS = {
  name: ['beta', 'gamma', 'data', 'bond0', 'Not A Name'],
  interface: ['enp1s0', 'enp2s0', 'bond0', 'lo'],
  parent: ['enp2s0'],
  controller: ['bond0'],
  purposes: ['storage', 'overlay'],
  address: ['10.77.0.50', '10.77.0.60/24', '127.0.0.1', '::1', '300.1.1.1'],
  addresses: ['10.77.10.20/24', '10.77.20.20/24', '10.77.10.1/24', '0.0.0.0/0'],
  gateway: ['10.77.0.1'],
  dns: ['10.77.0.1', 'none'],
  ntpServers: ['ntp.example.org', '-'],
  actions: ['ha:*', 'ha:GetCluster', 'iam:CreateToken', 'ha:Nothing'],
  resources: ['*', 'join/*'],
  release: ['0.6.0', '0.5.0', '99.0.0'],
  'If-Match': ['"1"', '"2"', '"3"', '*'],
  'If-None-Match': ['"1"', '"2"', '"3"', '*'],
  'Idempotency-Key': ['one', 'two', 'three'],
  cursor: ['1', '2', '100'],
  mac: ['52:54:00:00:00:01'],
};

class Pool {
  constructor(session, settings) {
    Object.assign(this, {
      session,
      settings,
      keys: {},
      strangers: [],
      tokens: {},
      machines: 0,
      beats: [],
    });
    this.ids = { joinId: [], codeId: [], tokenId: [], nodeId: [] };
    this.hints = HINTS;
    this.inventory = JSON.parse(fs.readFileSync(settings.inventory, 'utf8'));
  }

  async asked(wanted, call) {
    const answer = await call;
    if (!wanted.includes(answer.status))
      throw new Error(`${answer.request.path}: ${answer.status} ${answer.data}`);
    return answer.json;
  }

  async fill() {
    const { admin } = this.session;
    const code = await this.asked([201], admin.createJoinCode(null, { maxUses: 50 }));
    this.code = code.code;
    this.ids.codeId.push(code.id);
    await this.makeTokens();
    await this.machine('unrevealed');
    for (let i = 0; i < 3; i += 1) await this.machine('pending');
    await this.machine('rejected');
    await this.machine('joined');
    await this.machine('failed');
    await this.machine('delivering');
    this.strangers = [new Joiner(800, this.settings.key, this.inventory).pem];
    const { members } = await this.asked([200], admin.listMembers());
    this.ids.nodeId.push(...members.map((one) => one.nodeId));
    this.hints.copyFrom = ['none', ...this.ids.nodeId];
    this.hints.key = this.inventory.disks.map((disk) => disk.wwn);
  }

  // The members say that they have applied what there is: else nobody is next.
  async beat() {
    for (const one of this.beats) await one();
  }

  async makeTokens() {
    const { admin } = this.session;
    const policy = {
      version: 1,
      statements: [{ effect: 'allow', actions: ['ha:GetCluster'], resources: ['*'] }],
    };
    const made = async () => this.asked([201], admin.createToken(null, { policy }));
    const [poor, gone, spare] = [await made(), await made(), await made()];
    await this.asked([204], admin.revokeToken(gone.id));
    this.tokens = { full: this.settings.token, poor: poor.token, gone: gone.token };
    this.ids.tokenId.push(gone.id, spare.id);
  }

  async machine(state) {
    const { admin } = this.session;
    this.machines += 1;
    const machine = new Joiner(this.machines, this.settings.key, this.inventory);
    const api = this.session.joiner(machine.pem);
    machine.accepts(
      await this.asked([201], api.registerJoiner(null, machine.registration(this.code))),
    );
    this.ids.joinId.push(machine.id);
    this.keys[machine.id] = machine.pem;
    if (state === 'unrevealed') return;
    await this.asked([200], api.revealJoiner(machine.id, machine.reveal));
    if (state === 'pending') return;
    if (state === 'rejected') {
      await this.asked([200], admin.rejectNodeJoin(machine.id, {}));
      return;
    }
    const assignment = { name: `node-${this.machines}`, links: LINKS };
    await this.asked([200], admin.approveNodeJoin(machine.id, { assignment }));
    const isDelivered = async () =>
      (await this.asked([200], api.getRegistration(machine.id))).state === 'delivering';
    for (let i = 0; !(await isDelivered()); i += 1) {
      if (i === 100)
        throw new Error(
          `${machine.id} is not delivered: ${JSON.stringify((await admin.getNodeJoin(machine.id)).json.waitReason)}`,
        );
      await new Promise((done) => setTimeout(done, 100));
      await this.beat();
    }
    if (state === 'delivering') return;
    await this.asked(
      [200],
      api.reportProgress(machine.id, { attempt: 1, steps: [], result: state }),
    );
    if (state !== 'joined') return;
    const beat = (generation) =>
      this.asked([200], api.sendHeartbeat(null, { generationApplied: generation, healthy: true }));
    this.beats.push(async () => beat((await beat(0)).generation));
    await this.beat();
  }

  // Whether a machine that is new to the founder still gets in.
  async stillWorks() {
    await this.asked([204], this.session.admin.liftRegistrationPause());
    this.code = (await this.asked([201], this.session.admin.createJoinCode())).code;
    await this.machine('pending');
    await this.asked([200], this.session.stranger.getHealth());
  }
}

module.exports = { Pool };
