// node schema.js DESCRIPTION NAME FILE.json…
//
// Each file holds one document. Beside the schema itself this holds: what we write has no member that
// the description does not name, though readers of it must let others pass.
'use strict';

const fs = require('node:fs');
const yaml = require('js-yaml');
const Ajv = require('ajv/dist/2020').default;
const addFormats = require('ajv-formats').default;

// Every object that names its members has no others.
function close(node) {
  if (Array.isArray(node)) return node.map(close);
  if (node === null || typeof node !== 'object') return node;
  const closed = Object.fromEntries(Object.entries(node).map(([key, value]) => [key, close(value)]));
  const names = node.properties && typeof node.properties === 'object' && !Array.isArray(node.properties);
  if (names && node.additionalProperties === undefined) closed.unevaluatedProperties = false;
  return closed;
}

function main(descriptionFile, name, files) {
  const document = yaml.load(fs.readFileSync(descriptionFile, 'utf8'), { schema: yaml.JSON_SCHEMA });
  const ajv = new Ajv({ strict: false, allErrors: true, validateFormats: true });
  addFormats(ajv);
  ajv.addSchema({ components: { schemas: close(document.components.schemas) } }, 'description');
  const check = ajv.compile({ $ref: `description#/components/schemas/${name}` });
  let faults = 0;
  for (const file of files) {
    if (check(JSON.parse(fs.readFileSync(file, 'utf8')))) continue;
    for (const error of check.errors) {
      faults += 1;
      console.log(`${file} at “${error.instancePath}”: ${error.message} ${JSON.stringify(error.params)}`);
    }
  }
  console.log(`${files.length} documents: ${faults} faults`);
  return files.length > 0 && faults === 0 ? 0 : 1;
}

process.exit(main(process.argv[2], process.argv[3], process.argv.slice(4)));
