import { files, playAll } from './waiting.js';

playAll(files.filter((_, index) => index % 2 === 1));
