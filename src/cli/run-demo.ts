import { demo } from './demo.js';

await demo((line = '') => process.stdout.write(`${line}\n`));
