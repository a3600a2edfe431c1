// node lint.js DESCRIPTION: what a linter of OpenAPI documents finds; any finding fails.
'use strict';

const fs = require('node:fs');
const yaml = require('js-yaml');
const { createConfig, lint, BaseResolver } = require('@redocly/openapi-core');

// Every body in JSON that a call takes or answers shows an example (which the linter holds against
// its schema); the description itself does without.
function withoutExample(file) {
  const document = yaml.load(fs.readFileSync(file, 'utf8'), { schema: yaml.JSON_SCHEMA });
  const resolved = (node) =>
    node && node.$ref
      ? resolved(node.$ref.slice(2).split('/').reduce((at, part) => at && at[part], document))
      : node;
  const found = [];
  for (const [path, item] of Object.entries(document.paths || {})) {
    for (const [method, operation] of Object.entries(item)) {
      if (!operation.responses || operation.operationId === 'getDescription') continue;
      const bodies = { request: operation.requestBody, ...operation.responses };
      for (const [name, body] of Object.entries(bodies)) {
        for (const [type, media] of Object.entries((resolved(body) || {}).content || {})) {
          if (!/json$/.test(type) || media.example !== undefined || media.examples) continue;
          found.push(`no-example: ${method.toUpperCase()} ${path} ${name} ${type}`);
        }
      }
    }
  }
  return found;
}

async function main(file) {
  const config = await createConfig({
    extends: ['recommended-strict'],
    rules: {
      'operation-operationId': 'error',
      'operation-operationId-unique': 'error',
      'operation-description': 'error',
      'tag-description': 'error',
      'no-ambiguous-paths': 'off', // …/join-codes/pause beside …/join-codes/{codeId} is meant
      'no-unused-components': 'off', // MethodNotAllowed goes with every path
      'operation-4xx-response': 'off', // the front page has none but 406
      'no-server-example.com': 'off',
    },
  });
  const problems = await lint({ ref: file, config, externalRefResolver: new BaseResolver() });
  for (const problem of problems) {
    const at = problem.location[0];
    console.log(`${problem.ruleId}: ${at ? at.pointer : ''}: ${problem.message}`);
  }
  const missing = withoutExample(file);
  for (const line of missing) console.log(line);
  console.log(`lint: ${problems.length + missing.length} findings in ${file}`);
  return problems.length + missing.length === 0 ? 0 : 1;
}

main(process.argv[2]).then(
  (code) => process.exit(code),
  (error) => {
    console.error(error);
    process.exit(1);
  },
);
