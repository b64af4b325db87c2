import { remind } from '../../lib/email.js';

async function send() {
  'use server';
  await remind();
}

export default function Page() {
  return (
    <form action={send}>
      <button>Send</button>
    </form>
  );
}
