import { test } from 'vitest';
import { NO_CHROMIUM } from '../support/chromium.ts';

test.skip(`the client in a browser. ${NO_CHROMIUM}`, () => undefined);
