import { test } from 'vitest';
import { journalContract } from 'email-platform/testing';
import { MemoryStore } from './memory-store.ts';

// The store that the other tests of this folder use. The databases are tested in test/peers/sqlite.
journalContract(test, () => new MemoryStore());
