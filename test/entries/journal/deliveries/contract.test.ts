import { deliveriesContract } from 'email-platform/testing';
import { describe, test } from 'vitest';
import { MemoryDeliveryStore } from './memory-store.ts';

describe('a store of your own', () => {
  deliveriesContract(test, () => new MemoryDeliveryStore());
});
