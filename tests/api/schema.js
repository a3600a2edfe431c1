// node schema.js SCHEMA: reads {"texts": [YAML…]} on standard input, prints for each what the schema
// says: {"value": …, "faults": ["at “…”: …"]}; a text that is no YAML has the one fault that says so.
'use strict';

const fs = require('node:fs');
const yaml = require('js-yaml');
const Ajv = require('ajv/dist/2020').default;

const check = new Ajv({ strict: true, strictTypes: false, allErrors: true }).compile(
  JSON.parse(fs.readFileSync(process.argv[2], 'utf8')),
);

function judge(text) {
  let value;
  try {
    value = yaml.load(text, { schema: yaml.JSON_SCHEMA });
  } catch (error) {
    return { value: null, faults: [`is no YAML: ${error.message}`] };
  }
  if (check(value)) return { value, faults: [] };
  return { value, faults: check.errors.map((one) => `at “${one.instancePath}”: ${one.message}`) };
}

const { texts } = JSON.parse(fs.readFileSync(0, 'utf8'));
process.stdout.write(JSON.stringify(texts.map(judge)));
