/** Sends receipts, and sends those again that are still due. */
import { EmailPlatformError } from 'email-platform';
import type { Mails } from './mails.ts';
import type { Order, Orders } from './orders.ts';

/** The receipts of the shop. */
export type Receipts = ReturnType<typeof createReceipts>;

/** Makes the receipts of orders. */
export function createReceipts(orders: Orders, mails: Mails) {
  /** Sends a receipt. If that fails the receipt stays due, and the order stands. */
  async function send(order: Order): Promise<void> {
    try {
      await mails.receipt(order);
      orders.receiptSent(order.id);
    } catch (error) {
      if (!(error instanceof EmailPlatformError)) throw error;
      console.error(`The receipt of order ${order.id} is still due: ${error.message}`);
    }
  }

  return {
    send,
    /** Sends every receipt that is due, at any time and in any process: the key of a receipt sends it once. */
    async sendDue(): Promise<void> {
      for (const order of orders.withReceiptDue()) await send(order);
    },
  };
}
