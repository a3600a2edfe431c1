// HTTP/1.1 over TLS by hand: what is sent is sent byte by byte as it stands, well formed or not.
'use strict';

const tls = require('node:tls');

class Wire {
  // options: {port, pem (key and certificate, or none), from (local address)}
  constructor(options) {
    this.bytes = Buffer.alloc(0);
    this.ended = false;
    this.wake = () => {};
    const pem = options.pem;
    this.socket = tls.connect({
      host: '127.0.0.1',
      port: options.port,
      localAddress: options.from,
      rejectUnauthorized: false,
      ...(pem ? { key: pem, cert: pem } : {}),
    });
    this.socket.on('data', (piece) => {
      this.bytes = Buffer.concat([this.bytes, piece]);
      this.wake();
    });
    const over = (error) => {
      this.fault = this.fault || (error && error.message);
      this.ended = true;
      this.wake();
    };
    for (const event of ['end', 'close', 'error']) this.socket.on(event, over);
  }

  close() {
    this.socket.destroy();
    this.ended = true;
  }

  // Until `ready` gives something; nothing where the connection ended first.
  async until(ready, deadline) {
    for (;;) {
      const found = ready();
      if (found) return found;
      if (this.ended) return null;
      const left = deadline - Date.now();
      if (left <= 0) throw new Error('no answer in time');
      await new Promise((resolve) => {
        const timer = setTimeout(resolve, left);
        this.wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
  }

  // One answer: {status, headers, body, isWhole}; null where the connection ended without any.
  // options: {method, seconds, streamMs: how long to listen to a stream, halfClose}
  async ask(bytes, options) {
    const deadline = Date.now() + options.seconds * 1000;
    this.socket.write(bytes);
    if (options.halfClose) this.socket.end();
    let head;
    do {
      const end = await this.until(() => this.bytes.indexOf('\r\n\r\n') + 1, deadline);
      if (end === null) return null;
      head = parsedHead(this.bytes.subarray(0, end - 1).toString('latin1'));
      this.bytes = this.bytes.subarray(end + 3);
    } while (head.status >= 100 && head.status < 200);
    const answer = { ...head, body: Buffer.alloc(0), isWhole: true };
    if (options.method === 'HEAD' || head.status === 204 || head.status === 304) return answer;
    if ((head.headers['content-type'] || '').startsWith('text/event-stream')) {
      await new Promise((resolve) => setTimeout(resolve, options.streamMs || 300));
      answer.body = this.bytes;
      this.close();
      return answer;
    }
    if (head.headers['transfer-encoding'] === 'chunked') await this.chunks(answer, deadline);
    else await this.length(answer, deadline);
    return answer;
  }

  async length(answer, deadline) {
    const length = Number(answer.headers['content-length'] || 0);
    answer.isWhole = (await this.until(() => this.bytes.length >= length, deadline)) !== null;
    answer.body = this.bytes.subarray(0, length);
    this.bytes = this.bytes.subarray(length);
  }

  async chunks(answer, deadline) {
    for (;;) {
      const line = await this.until(() => this.bytes.indexOf('\r\n') + 1, deadline);
      const size =
        line === null ? NaN : parseInt(this.bytes.subarray(0, line - 1).toString('latin1'), 16);
      const whole =
        line !== null &&
        (await this.until(() => this.bytes.length >= line + 1 + size + 2, deadline));
      if (!whole || Number.isNaN(size)) {
        answer.isWhole = false;
        return;
      }
      answer.body = Buffer.concat([answer.body, this.bytes.subarray(line + 1, line + 1 + size)]);
      this.bytes = this.bytes.subarray(line + 1 + size + 2);
      if (size === 0) return;
    }
  }
}

function parsedHead(text) {
  const lines = text.split('\r\n');
  const status = Number((/^HTTP\/1\.[01] (\d{3})( |$)/.exec(lines[0]) || [])[1]);
  if (!status) throw new Error(`no HTTP answer: ${lines[0].slice(0, 80)}`);
  const headers = {};
  for (const line of lines.slice(1)) {
    const at = line.indexOf(':');
    if (at <= 0) throw new Error(`no header: ${line.slice(0, 80)}`);
    const name = line.slice(0, at).toLowerCase();
    if (name in headers) throw new Error(`the header ${name} came twice`);
    headers[name] = line.slice(at + 1).trim();
  }
  return { status, headers };
}

module.exports = { Wire };
