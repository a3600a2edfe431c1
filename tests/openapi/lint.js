// node lint.js DESCRIPTION: what a linter of OpenAPI documents finds; any finding fails.
'use strict';

const { createConfig, lint, BaseResolver } = require('@redocly/openapi-core');

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
  console.log(`lint: ${problems.length} findings in ${file}`);
  return problems.length === 0 ? 0 : 1;
}

main(process.argv[2]).then(
  (code) => process.exit(code),
  (error) => {
    console.error(error);
    process.exit(1);
  },
);
