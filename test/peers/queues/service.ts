import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createEmulator, type Emulator } from '../../../src/testing/index.ts';
import { listen, type Listening } from '../../support/ports.ts';

/** The service: an emulator behind a server that can keep answers back. */
export class Service {
  readonly emulator: Emulator;
  readonly #listening: Listening;
  /** Posts that have arrived. */
  posts = 0;
  /** Answers that were a 429. */
  refused = 0;
  readonly #awaited = new Map<number, () => void>();
  #keepBack: { readonly acts: boolean; readonly breaks: boolean; readonly happened: () => void } | undefined;

  readonly #latencyMs: number;

  private constructor(emulator: Emulator, listening: Listening, latencyMs: number) {
    this.emulator = emulator;
    this.#latencyMs = latencyMs;
    this.#listening = listening;
  }

  /** `latencyMs` pass between what the service does and its answer. */
  static async start(options?: Emulator.Options, latencyMs = 0): Promise<Service> {
    const server = createServer((message, response) => void service.#answer(message, response));
    server.keepAliveTimeout = 60_000;
    const service = new Service(createEmulator(options), await listen(server), latencyMs);
    return service;
  }

  /** The next post gets no answer, whether or not the service acts. Resolves when that has happened. */
  keepBackNext({ acts }: { readonly acts: boolean }): Promise<void> {
    return new Promise((happened) => (this.#keepBack = { acts, breaks: false, happened }));
  }

  /** The service acts on the next post, and the connection breaks instead of an answer. */
  loseNext(): void {
    this.#keepBack = { acts: true, breaks: true, happened: () => undefined };
  }

  /** Resolves when so many posts have arrived. */
  whenPosts(count: number): Promise<void> {
    return new Promise((resolve) => void this.#awaited.set(Math.ceil(count), resolve));
  }

  /** How often each key was accepted. */
  accepted(): Map<string, number> {
    const counts = new Map<string, number>();
    for (const { customVariables } of this.emulator.messages()) {
      const key = String(customVariables?.idempotency_key);
      counts.set(key, (counts.get(key) ?? 0) + 1);
    }
    return counts;
  }

  /** The variables with which a process reaches it. */
  get env(): Record<string, string> {
    const { token, accountId } = this.emulator.clientOptions();
    const at = (name: string) => `http://127.0.0.1:${this.#listening.port}/${name}`;
    return {
      EMAIL_PLATFORM_TOKEN: token,
      EMAIL_PLATFORM_ACCOUNT_ID: String(accountId),
      EMAIL_PLATFORM_API_URL: at('account'),
      EMAIL_PLATFORM_SEND_URL: at('send'),
      EMAIL_PLATFORM_BULK_URL: at('bulk'),
      EMAIL_PLATFORM_SANDBOX_URL: at('sandbox'),
    };
  }

  async close(): Promise<void> {
    await this.#listening.close();
  }

  async #answer(message: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    try {
      for await (const chunk of message) chunks.push(chunk as Buffer);
    } catch {
      // The process was killed before it had sent everything: nothing has arrived.
      return;
    }
    const isPost = message.method === 'POST';
    if (isPost) this.#awaited.get((this.posts += 1))?.();
    const kept = isPost ? this.#keepBack : undefined;
    if (kept) this.#keepBack = undefined;
    if (kept && !kept.acts) {
      kept.happened();
      return;
    }
    const headers = Object.entries(message.headers).map(([name, value]): [string, string] => [
      name,
      String(value),
    ]);
    const answer = await this.emulator.handle(
      new Request(`http://${message.headers.host}${message.url}`, {
        method: message.method ?? 'GET',
        headers,
        ...(isPost && { body: Buffer.concat(chunks) }),
      }),
    );
    if (answer.status === 429) this.refused += 1;
    const body = Buffer.from(await answer.arrayBuffer());
    if (kept) {
      kept.happened();
      if (kept.breaks) message.socket.destroy();
      return;
    }
    if (this.#latencyMs > 0) await new Promise((resolve) => setTimeout(resolve, this.#latencyMs));
    response.writeHead(answer.status, Object.fromEntries(answer.headers)).end(body);
  }
}
