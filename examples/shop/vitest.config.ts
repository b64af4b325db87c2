import { defineConfig } from 'vitest/config';

// Playwright runs test/browser.
export default defineConfig({ test: { include: ['test/*.test.ts'] } });
