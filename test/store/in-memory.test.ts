import { openStore } from '../../src/store/open.js';
import { describeInbox } from './inbox-contract.js';
import { describeLedger } from './ledger-contract.js';
import { createOpener } from './openers.js';
import { describeStore } from './store-contract.js';

const opener = createOpener('in memory', openStore, { file: ':memory:' });

describeLedger(opener);
describeInbox(opener);
describeStore(opener);
