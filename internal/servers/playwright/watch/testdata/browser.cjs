// A browser as the watching script sees it, in which new pages come only when the test
// says so: "come N" on standard input lets the Nth one come. Of the first page "fail" ends
// the going to a server that does not answer, and "land" lets it come to the empty page that
// is asked for then. It says what is asked of it.
'use strict';
const { EventEmitter } = require('node:events');
const script = process.argv[2];
const say = text => console.log(text);

class Page extends EventEmitter {
  constructor(context, name) {
    super();
    Object.assign(this, { owner: context, name, address: 'about:blank', closed: false });
    this.frame = { url: () => this.address, parentFrame: () => null };
    context.list.push(this);
  }
  context() { return this.owner; }
  url() { return this.address; }
  mainFrame() { return this.frame; }
  frames() { return [this.frame]; }
  isClosed() { return this.closed; }
  async opener() { return null; }
  async waitForLoadState() {}
  async goto(url) {
    say(`${this.name} goto ${url}`);
    if (url.startsWith('http://silent.'))
      await new Promise((_, reject) => { this.fail = () => reject(Object.assign(new Error('too late'), { name: 'TimeoutError' })); });
    if (url === 'about:blank')
      await new Promise(resolve => { this.land = resolve; });
    this.address = url;
    this.emit('framenavigated', this.frame);
    say(`${this.name} is at ${url}`);
  }
  async close() {
    say(`${this.name} closed`);
    this.closed = true;
    this.owner.list.splice(this.owner.list.indexOf(this), 1);
    this.emit('close');
  }
}

class Context extends EventEmitter {
  list = [];
  coming = [];
  pages() { return [...this.list]; }
  browser() { return null; }
  async cookies() { return []; }
  newPage() {
    return new Promise(resolve => {
      this.coming.push(resolve);
      say(`asked for page ${this.coming.length}`);
    });
  }
}

const context = new Context();
const first = new Page(context, 'first');
require(script).default({ page: first });
process.stdin.setEncoding('utf8').on('data', lines => {
  for (const line of lines.trim().split('\n')) {
    const [what, number] = line.split(' ');
    if (what === 'come')
      context.coming[number - 1](new Page(context, `page ${number}`));
    else
      first[what]();
  }
}).on('end', () => process.exit());
