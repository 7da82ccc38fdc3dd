// Writes schema/agent-policy.schema.json from the schema that reads policy files. Run `npm run build` first.
import { mkdir, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { format, resolveConfig } from 'prettier';
import { policyJsonSchema } from '../dist/policy/json-schema.js';

const file = fileURLToPath(new URL('../schema/agent-policy.schema.json', import.meta.url));
const options = await resolveConfig(file);
await mkdir(new URL('../schema/', import.meta.url), { recursive: true });
await writeFile(file, await format(JSON.stringify(policyJsonSchema()), { ...options, parser: 'json' }));
console.log(`wrote ${file}`);
