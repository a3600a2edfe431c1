// A joiner in another language: the arithmetic of docs/protocol.md, and a machine that goes by it.
'use strict';

const crypto = require('node:crypto');
const { execFileSync } = require('node:child_process');

const ALPHABET = '23456789ABCDEFGHJKMNPQRSTVWXYZ';

const sha256 = (...parts) => crypto.createHash('sha256').update(Buffer.concat(parts)).digest();
const hmac = (key, ...parts) =>
  crypto.createHmac('sha256', key).update(Buffer.concat(parts)).digest();
const label = (name) => Buffer.from(`${name}\0`, 'ascii');
const plain = (code) => Buffer.from(code.toUpperCase().replace(/[-\s]/g, ''), 'ascii');

class Joiner {
  // `founderKey`: the founder's fingerprint in hex; `inventory`: one that a machine reported.
  constructor(number, founderKey, inventory) {
    this.pem = newKey();
    this.founder = Buffer.from(founderKey, 'hex');
    this.key = fingerprint(this.pem);
    this.inventory = another(inventory, number);
    this.nonce = crypto.randomBytes(32);
    this.commitment = sha256(label('stratum-pairing-commit-v1'), this.nonce, this.key);
  }

  registration(code) {
    this.code = sha256(label('stratum-join-code-v1'), plain(code));
    const proof = hmac(
      this.code,
      label('stratum-code-joiner-v1'),
      this.founder,
      this.key,
      this.commitment,
    );
    return {
      codeId: sha256(label('stratum-join-code-id-v1'), plain(code)).toString('hex').slice(0, 8),
      codeProof: proof.toString('hex'),
      release: '0.6.0',
      selfUpgrade: false,
      commitment: this.commitment.toString('hex'),
    };
  }

  // Whether the founder has proved the code; keeps what the pairing code is made of.
  accepts(answer) {
    this.id = answer.id;
    this.founderNonce = Buffer.from(answer.founderNonce, 'hex');
    const proof = hmac(
      this.code,
      label('stratum-code-founder-v1'),
      this.founder,
      this.key,
      this.commitment,
      this.founderNonce,
      Buffer.from(this.id, 'ascii'),
    );
    return proof.toString('hex') === answer.founderProof;
  }

  get reveal() {
    return { nonce: this.nonce.toString('hex'), inventory: this.inventory };
  }

  get pairingCode() {
    const hash = sha256(
      label('stratum-pairing-v1'),
      this.founder,
      this.key,
      this.nonce,
      this.founderNonce,
      Buffer.from(this.id, 'ascii'),
    );
    let number = hash.readBigUInt64BE(0) % 30n ** 6n;
    let digits = '';
    for (let i = 0; i < 6; i += 1) {
      digits = ALPHABET[Number(number % 30n)] + digits;
      number /= 30n;
    }
    return `${digits.slice(0, 3)}-${digits.slice(3)}`;
  }
}

function newKey() {
  const words =
    '-x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 36500 -subj /CN=client';
  const options = { stdio: ['ignore', 'pipe', 'ignore'] };
  return execFileSync(
    'openssl',
    ['req', ...words.split(' '), '-keyout', '-', '-out', '-'],
    options,
  ).toString();
}

function fingerprint(pem) {
  return sha256(new crypto.X509Certificate(pem).publicKey.export({ type: 'spki', format: 'der' }));
}

// The same machine with everything that names it made different.
function another(inventory, number) {
  const text = JSON.stringify(inventory).replaceAll('10.77.0.50', `10.77.0.${50 + (number % 200)}`);
  const made = JSON.parse(text);
  const hex = number.toString(16).padStart(4, '0');
  made.hostname = `client${number}`;
  made.machine.uuid = `5a1e0000-0000-4000-9000-00000000${hex}`;
  made.machine.serial = `CL${hex}`;
  made.nics.forEach((nic, at) => {
    nic.mac = `52:54:02:${hex.slice(0, 2)}:${hex.slice(2)}:0${at}`;
    if (nic.permanentMac) nic.permanentMac = nic.mac;
  });
  made.disks.forEach((disk, at) => {
    disk.serial = `D${hex}${at}`;
    disk.wwn = `eui.00253850${hex}000${at}`;
    disk.byId = [`/dev/disk/by-id/nvme-${disk.wwn}`];
  });
  return made;
}

module.exports = { Joiner, fingerprint };
