// Values that fit a schema of the description, by chance; and what spoils them.
'use strict';

const { PatternText } = require('./dice');

const LETTERS = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_. ';
const DEEPEST = 7;

class Generator {
  // `hints`: {member's name: [values]}, so that what is made also means something now and then.
  constructor(description, hints) {
    this.description = description;
    this.hints = hints;
  }

  // A value that fits the schema at this place ({parts} as Description.pointer gives it).
  fitting(place, dice) {
    const value = this.value(place.node, dice, 0, '');
    const faults = this.description.faults(place.parts, value);
    if (faults.length > 0)
      throw new Error(
        `made what does not fit ${place.parts}: ${faults[0]} ${JSON.stringify(value)}`,
      );
    return value;
  }

  resolved(schema) {
    let found = schema;
    while (found.$ref) found = this.description.pointer(found.$ref.slice(2).split('/')).node;
    if (!found.allOf) return found;
    const merged = {
      ...found,
      properties: { ...found.properties },
      required: [...(found.required || [])],
    };
    for (const part of found.allOf.map((one) => this.resolved(one))) {
      Object.assign(merged.properties, part.properties);
      merged.required.push(...(part.required || []));
    }
    return merged;
  }

  value(given, dice, depth, name) {
    const schema = this.resolved(given);
    if (schema.const !== undefined) return schema.const;
    if (schema.enum) return dice.of(schema.enum);
    const choices = schema.oneOf || schema.anyOf;
    if (choices) return this.value(dice.of(choices), dice, depth, name);
    const types = [].concat(schema.type || 'object');
    const type = depth > DEEPEST && types.includes('null') ? 'null' : dice.of(types);
    if (type === 'object') return this.object(schema, dice, depth);
    if (type === 'array') return this.array(schema, dice, depth, name);
    if (type === 'string') return this.text(schema, dice, name);
    if (type === 'boolean') return dice.chance(0.5);
    if (type === 'null') return null;
    return this.number(schema, dice);
  }

  object(schema, dice, depth) {
    const made = {};
    const required = new Set(schema.required || []);
    for (const [name, member] of Object.entries(schema.properties || {})) {
      if (!required.has(name) && !dice.chance(depth > DEEPEST ? 0 : 0.55)) continue;
      made[name] = this.value(member, dice, depth + 1, name);
    }
    if (schema.patternProperties && dice.chance(0.1)) made['x-note'] = { kept: [1, null, 'two'] };
    for (const name of required) if (!(name in made)) made[name] = 'anything';
    return made;
  }

  array(schema, dice, depth, name) {
    const low = schema.minItems || 0;
    const count = dice.between(
      low,
      Math.min(schema.maxItems || 1000, low + (depth > DEEPEST ? 0 : 3)),
    );
    return Array.from({ length: count }, () =>
      this.value(schema.items || {}, dice, depth + 1, name),
    );
  }

  text(schema, dice, name) {
    if (schema.format === 'date-time')
      return new Date(dice.between(0, 4e9) * 1000).toISOString().replace('.000', '');
    if (schema.pattern) return new PatternText(schema.pattern, dice).make();
    const hints = this.hints[name] || [];
    const fits = (text) =>
      text.length <= (schema.maxLength ?? Infinity) && text.length >= (schema.minLength || 0);
    if (hints.length > 0 && dice.chance(0.7)) {
      const hint = dice.of(hints);
      if (fits(hint)) return hint;
    }
    const low = schema.minLength || 0;
    const made = dice.text(
      LETTERS,
      dice.between(low, Math.min(schema.maxLength ?? 1000, low + 20)),
    );
    return dice.chance(0.1) && schema.maxLength !== made.length ? `${made.slice(1)}ü` : made;
  }

  number(schema, dice) {
    const low = schema.minimum ?? -5;
    const high = schema.maximum ?? 5000;
    return dice.chance(0.2)
      ? dice.of([low, high])
      : dice.between(low, Math.max(low, Math.min(high, low + 50)));
  }
}

// Each makes one wrong thing of a fitting body: (value, dice) → what is sent, text or Buffer. Some
// may still fit by luck; the judge tells.
const SPOILERS = {
  wrongType: (value, dice) =>
    JSON.stringify(
      replaced(value, dice, () =>
        dice.of([null, true, 0, -1, 1.5, 1e300, '', 'x', [], {}, [[]], { a: 1 }]),
      ),
    ),
  missing: (value, dice) => JSON.stringify(replaced(value, dice, () => undefined)),
  extra: (value, dice) =>
    JSON.stringify(added(value, dice, dice.of(['extra', 'Id', '__proto__x', '', 'ﬁ', 'x-ok']))),
  duplicate: (value) => JSON.stringify(value).replace(/\{("(?:[^"\\]|\\.)*"):/, '{$1:null,$1:'),
  deep: (value, dice) =>
    '['.repeat(dice.of([50, 500, 20000])) + ']'.repeat(dice.of([50, 500, 20000])),
  deepMember: (value, dice) =>
    `{"x-deep":${'{"a":'.repeat(300)}1${'}'.repeat(300)}${dice.of([',"x-b":1}', '}'])}`,
  longText: (value, dice) =>
    JSON.stringify(replaced(value, dice, () => 'y'.repeat(dice.of([201, 5000, 200000])))),
  hugeBody: (value, dice) => `{"x-huge":"${'z'.repeat(dice.of([262100, 300000, 1100000]))}"}`,
  manyMembers: (value, dice) =>
    `{${Array.from({ length: dice.of([300, 20000]) }, (_, i) => `"x-${i}":0`).join(',')}}`,
  manyItems: (value, dice) =>
    JSON.stringify(replaced(value, dice, () => new Array(dice.of([2000, 60000])).fill(0))),
  hugeNumber: (value, dice) =>
    JSON.stringify(replaced(value, dice, () => '@@')).replace(
      '"@@"',
      dice.of([
        '1e999',
        '-1e999',
        '9223372036854775808',
        '-9223372036854775809',
        '1'.repeat(4000),
        '0.1e-400',
        '18446744073709551616',
        '-0',
        '1E5',
        '00',
        '+1',
        '.5',
        '0x10',
        'NaN',
        '1e5',
      ]),
    ),
  badText: (value, dice) =>
    JSON.stringify(replaced(value, dice, () => '@@')).replace(
      '@@',
      dice.of([
        '\\ud800',
        '\\u0000',
        '\\udc00\\ud800',
        '\\x41',
        '\\',
        '\u0001',
        '\t',
        '\\u12',
        '\u2028',
        '\u202e',
        '\uffff',
        '\u{10ffff}',
        "'; DROP TABLE record; --",
        '../../etc/passwd',
        '%s%n%x',
      ]),
    ),
  badUtf8: (value, dice) => {
    const text = Buffer.from(JSON.stringify(replaced(value, dice, () => '@@')));
    const bad = dice.of([
      [0xff],
      [0xc0, 0xaf],
      [0xed, 0xa0, 0x80],
      [0xf4, 0x90, 0x80, 0x80],
      [0xe2, 0x82],
      [0x80],
    ]);
    const at = text.indexOf('@@');
    return at < 0
      ? Buffer.from(bad)
      : Buffer.concat([text.subarray(0, at), Buffer.from(bad), text.subarray(at + 2)]);
  },
  cut: (value, dice) => JSON.stringify(value).slice(0, -dice.between(1, 3)),
  behind: (value, dice) =>
    JSON.stringify(value) + dice.of(['x', '{}', ']', ' \n', '//', '\0', ',']),
  bom: (value) => `\ufeff${JSON.stringify(value)}`,
  utf16: (value) => Buffer.from(JSON.stringify(value), 'utf16le'),
  empty: (value, dice) =>
    dice.of(['', ' ', 'null', '[]', '""', '0', 'true', '{}', 'nul', "{'a':1}", '{"a":1,}']),
};

// Every place of a value, as paths.
function places(value, path = []) {
  const here = [path];
  if (value && typeof value === 'object') {
    for (const key of Object.keys(value)) here.push(...places(value[key], [...path, key]));
  }
  return here;
}

// A copy in which one place holds something else; undefined takes it out.
function replaced(value, dice, make) {
  const copy = JSON.parse(JSON.stringify(value));
  const path = dice.of(places(copy));
  const made = make();
  if (path.length === 0) return made === undefined ? {} : made;
  let node = copy;
  for (const key of path.slice(0, -1)) node = node[key];
  const last = path[path.length - 1];
  if (made !== undefined) node[last] = made;
  else if (Array.isArray(node)) node.splice(Number(last), 1);
  else delete node[last];
  return copy;
}

function added(value, dice, name) {
  const copy = JSON.parse(JSON.stringify(value));
  const objects = places(copy)
    .map((path) => path.reduce((node, key) => node[key], copy))
    .filter((node) => node && typeof node === 'object' && !Array.isArray(node));
  if (objects.length === 0) return { [name]: 1 };
  dice.of(objects)[name] = dice.of([1, null, {}]);
  return copy;
}

module.exports = { Generator, SPOILERS };
