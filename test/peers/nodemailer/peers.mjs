// What the tests here use of the packages of this folder, which the project is compiled without: see peers.d.mts.
import nodemailer from 'nodemailer';
import nodemailer8 from 'nodemailer-8';
import nodemailer809 from 'nodemailer-8-0-9';
import nodemailer9 from 'nodemailer-9';
import { htmlToText } from 'nodemailer-html-to-text';
import handlebars from 'nodemailer-express-handlebars';
import { SMTPServer } from 'smtp-server';

/** The oldest nodemailer that the transport is for, the oldest with its options about files and addresses, and the newest majors. */
export const nodemailers = [
  ['8.0.5', nodemailer8],
  ['8.0.9', nodemailer809],
  ['9.1.1', nodemailer9],
  ['10.6.1', nodemailer],
];

export { handlebars, htmlToText };

/** An SMTP server on 127.0.0.1 that keeps every message: who it is for, and its bytes. */
export function catcher() {
  const caught = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData(stream, { envelope }, done) {
      const chunks = [];
      stream.on('data', (chunk) => chunks.push(chunk));
      stream.on('end', () => {
        caught.push({ to: envelope.rcptTo.map(({ address }) => address), source: Buffer.concat(chunks) });
        done();
      });
    },
  });
  return new Promise((resolve, reject) => {
    server.on('error', reject);
    const { server: socket } = server;
    server.listen(0, '127.0.0.1', () => {
      resolve({
        port: socket.address().port,
        caught,
        close: () => new Promise((closed) => server.close(closed)),
      });
    });
  });
}
