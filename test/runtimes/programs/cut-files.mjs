// Prints the outcome of a download from each address, as JSON: its size, or the name of its error.
import process from 'node:process';
import { EmailPlatform } from 'email-platform';

const said = {};
for (const [name, url] of Object.entries(JSON.parse(process.argv[2]))) {
  const client = new EmailPlatform({ token: 'token', hosts: { api: url }, retry: false });
  said[name] = await client.emailLogs.downloadRaw(url).then(
    ({ length }) => length,
    (error) => error.name,
  );
}
console.log(JSON.stringify(said));
