import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

const src = (path: string) => fileURLToPath(new URL(`./src/${path}`, import.meta.url));

/** Tests import the package by its name, as a user does; these aliases point the name at the source. */
export const alias = [
  { find: /^email-platform$/, replacement: src('index.ts') },
  { find: /^email-platform\/testing$/, replacement: src('testing/index.ts') },
  { find: /^email-platform\/testing\/msw$/, replacement: src('testing/msw.ts') },
  { find: /^email-platform\/redis$/, replacement: src('redis/index.ts') },
  { find: /^email-platform\/proxy$/, replacement: src('proxy/index.ts') },
];

export default defineConfig({
  resolve: { alias },
  test: {
    projects: [
      {
        resolve: { alias },
        test: {
          name: 'unit',
          include: ['test/**/*.test.ts'],
          exclude: ['test/package/**', 'test/browser/**', 'test/runtimes/**'],
        },
      },
    ],
  },
});
