import { composeEmail, type Site } from "./compose.ts";
import type { Mail, Tx } from "../domain/ports.ts";

type AddDelivery = (tx: Tx, emailId: string) => Promise<void>;
type Deliveries = { add: AddDelivery; simulate: Mail["simulate"] };

/**
 * A transactional outbox: the row and the job that delivers it are written in the transaction of the write, so a
 * rejected write sends nothing and a committed one always sends.
 * @param isLocalOutbox whether emails are only stored, because there is no mail server
 */
export const openMailbox = (site: Site, isLocalOutbox: boolean, { add, simulate }: Deliveries): Mail => ({
  isLocalOutbox,
  simulate,
  write: async (tx, kind, recipient, data) => {
    const { id } = await tx.email.create({ data: { kind, recipient, ...composeEmail(kind, data, site) } });
    await add(tx, id);
  },
});
