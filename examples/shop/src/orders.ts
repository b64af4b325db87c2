/** Orders. The row of an order says whether its receipt is due, so that a crash loses neither without the other. */
import type { Db } from './database.ts';

/** The products, with their prices in cents. */
export const PRICES: ReadonlyMap<string, number> = new Map([
  ['Tomato seeds', 400],
  ['Bean seeds', 350],
  ['Trowel', 1900],
]);

/** The state of a receipt: `due` until the service accepts its email, then `sent`. */
export type Receipt = 'due' | 'sent';

/** An order. */
export interface Order {
  /** The id of the form that placed it: a form that is submitted twice is one order. */
  readonly id: string;
  readonly email: string;
  readonly product: string;
  readonly quantity: number;
  /** The total. */
  readonly cents: number;
  readonly receipt: Receipt;
}

/** The orders of the shop. */
export type Orders = ReturnType<typeof createOrders>;

/** Makes the orders of a database. */
export function createOrders(db: Db) {
  const insert = db.prepare<[Omit<Order, 'receipt'>]>(
    `INSERT INTO orders (id, email, product, quantity, cents)
      VALUES (@id, @email, @product, @quantity, @cents) ON CONFLICT DO NOTHING`,
  );
  const select = db.prepare<[string], Order>('SELECT * FROM orders WHERE id = ?');
  const selectDue = db.prepare<[], Order>("SELECT * FROM orders WHERE receipt = 'due'");
  const markSent = db.prepare<[string]>("UPDATE orders SET receipt = 'sent' WHERE id = ?");

  return {
    /** Places an order, unless it is placed already. Returns it as it is now; undefined if it is another person's. */
    place(order: Omit<Order, 'receipt'>): Order | undefined {
      insert.run(order);
      const placed = select.get(order.id);
      return placed?.email === order.email ? placed : undefined;
    },
    get: (id: string) => select.get(id),
    withReceiptDue: () => selectDue.all(),
    /** Records that the service accepted the receipt. */
    receiptSent: (id: string) => markSent.run(id),
  };
}
