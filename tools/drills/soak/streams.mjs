// Clients of the change stream that connect, read for a while and leave. Each must see the changes in order.
import { get } from 'node:http';
import { once } from 'node:events';

export class Streams {
  #open = [];
  opened = 0;
  events = 0;

  constructor(caller) {
    this.caller = caller;
  }

  get open() {
    return this.#open.length;
  }

  /** Opens a stream, closing the oldest one if there are `max`. */
  async turn(max) {
    if (this.#open.length >= max) this.#open.shift().destroy();
    const { url, token } = this.caller;
    const headers = { accept: 'text/event-stream', authorization: `Bearer ${token}` };
    try {
      const [response] = await once(get(`${url}/clients/changes`, { agent: false, headers }), 'response');
      if (response.statusCode === 503) return this.#putOff(response);
      if (response.statusCode !== 200)
        return this.caller.fail(`a stream was answered with ${response.statusCode}`);
      this.#follow(response);
    } catch (error) {
      this.caller.fail(`a stream was not opened: ${error.message}`);
    }
  }

  closeAll() {
    for (const stream of this.#open.splice(0)) stream.destroy();
  }

  /** Not retried: the next turn opens another one. */
  #putOff(response) {
    response.resume();
    this.caller.busy += 1;
  }

  #follow(response) {
    this.opened += 1;
    this.#open.push(response);
    /** @type {string | undefined} */
    let rest = '';
    let last = 0;
    response.setEncoding('utf8').on('data', (chunk) => {
      const lines = (rest + chunk).split('\n');
      rest = lines.pop();
      for (const line of lines.filter((text) => text.startsWith('data: '))) {
        const { seq } = JSON.parse(line.slice(6));
        if (seq <= last) this.caller.fail(`change ${seq} came after ${last}`);
        last = seq;
        this.events += 1;
      }
    });
    response.on('error', () => undefined);
    response.on('close', () => {
      if (!this.#open.includes(response)) return;
      this.#open.splice(this.#open.indexOf(response), 1);
      this.caller.fail('the registry ended a stream');
    });
  }
}
