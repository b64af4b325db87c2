const { EmailPlatform, NotFoundError } = require('email-platform');
const { createEmulator } = require('email-platform/testing');

const client = new EmailPlatform(createEmulator().clientOptions());
client.campaigns.get(1).catch((error) => {
  console.log(error instanceof NotFoundError ? 'required' : String(error));
});
