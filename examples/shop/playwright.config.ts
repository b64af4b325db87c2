import { defineConfig } from '@playwright/test';

const { PORT = '3001', EMULATOR_PORT = '4011' } = process.env;
const origin = `http://127.0.0.1:${PORT}`;
const controlToken = 'end-to-end-tests-control';

// For the tests, whose processes have the variables of this one.
process.env.EMAIL_PLATFORM_CONTROL_URL = `http://127.0.0.1:${EMULATOR_PORT}/_emulator`;
process.env.EMAIL_PLATFORM_CONTROL_TOKEN = controlToken;

export default defineConfig({
  testDir: 'test/browser',
  use: {
    baseURL: origin,
    launchOptions: JSON.parse(process.env.CHROMIUM_OPTIONS ?? '{}') as object,
  },
  webServer: {
    command: 'node --import tsx src/local.ts',
    url: origin,
    env: { PORT, EMULATOR_PORT, CONTROL_TOKEN: controlToken },
  },
});
