// Chance that a seed repeats (mulberry32), and texts that fit a pattern.
'use strict';

class Dice {
  constructor(seed) {
    this.state = seed >>> 0;
  }
  // From 0 to below 1.
  roll() {
    this.state = (this.state + 0x6d2b79f5) >>> 0;
    let t = this.state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  }
  chance(share) {
    return this.roll() < share;
  }
  // From `low` to `high`, both included.
  between(low, high) {
    return low + Math.floor(this.roll() * (high - low + 1));
  }
  of(list) {
    return list[Math.floor(this.roll() * list.length)];
  }
  text(alphabet, length) {
    let made = '';
    while (made.length < length) made += this.of(alphabet);
    return made;
  }
}

// Makes a text that fits a regular expression of the kind that schemas have: literals, classes,
// groups, alternatives, and counts.
class PatternText {
  constructor(pattern, dice) {
    this.pattern = pattern;
    this.dice = dice;
    this.at = 0;
  }

  make() {
    const made = this.alternatives();
    if (this.at !== this.pattern.length) throw new Error(`cannot make a text for ${this.pattern}`);
    return made;
  }

  alternatives() {
    const all = [this.sequence()];
    while (this.pattern[this.at] === '|') {
      this.at += 1;
      all.push(this.sequence());
    }
    return this.dice.of(all);
  }

  sequence() {
    let made = '';
    while (this.at < this.pattern.length && !'|)'.includes(this.pattern[this.at])) {
      const from = this.at;
      let piece = this.atom();
      const after = this.at;
      const count = this.count();
      const behind = this.at;
      if (count !== 1) {
        piece = '';
        for (let i = 0; i < count; i += 1) {
          this.at = from;
          piece += this.atom();
        }
        this.at = behind > after ? behind : after;
      }
      made += piece;
    }
    return made;
  }

  atom() {
    const first = this.pattern[this.at];
    this.at += 1;
    if (first === '^' || first === '$') return '';
    if (first === '[') return this.dice.of(this.members());
    if (first === '.') return this.dice.of('abcXYZ019_-');
    if (first === '\\') return this.escaped(this.pattern[this.at++]);
    if (first !== '(') return first;
    if (this.pattern.startsWith('?:', this.at)) this.at += 2;
    const made = this.alternatives();
    this.at += 1;
    return made;
  }

  escaped(letter) {
    if (letter === 'd') return this.dice.of('0123456789');
    if (letter === 'w') return this.dice.of('abcXYZ019_');
    return letter;
  }

  // The characters of a class; the reader stands behind its bracket.
  members() {
    let all = '';
    while (this.pattern[this.at] !== ']') {
      const low = this.pattern[this.at];
      if (this.pattern[this.at + 1] === '-' && this.pattern[this.at + 2] !== ']') {
        const high = this.pattern.charCodeAt(this.at + 2);
        for (let code = low.charCodeAt(0); code <= high; code += 1)
          all += String.fromCharCode(code);
        this.at += 3;
      } else {
        all += low;
        this.at += 1;
      }
    }
    this.at += 1;
    return all;
  }

  count() {
    const rest = this.pattern.slice(this.at);
    const said = /^\{(\d+)(?:,(\d*))?\}/.exec(rest);
    const few = { '?': [0, 1], '*': [0, 3], '+': [1, 4] }[rest[0]];
    if (few) this.at += 1;
    if (few) return this.dice.between(...few);
    if (!said) return 1;
    this.at += said[0].length;
    const low = Number(said[1]);
    return this.dice.between(
      low,
      said[2] === undefined ? low : said[2] === '' ? low + 3 : Number(said[2]),
    );
  }
}

module.exports = { Dice, PatternText };
