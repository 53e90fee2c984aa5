import { composeEmail, type Site } from "./compose.ts";
import type { Mail, Tx } from "../domain/ports.ts";

type AddDelivery = (tx: Tx, emailId: string) => Promise<void>;

/**
 * A transactional outbox: the row and the job that delivers it are written in the transaction of the write, so a
 * rejected write sends nothing and a committed one always sends.
 * @param isLocalOutbox whether emails are only stored, because there is no mail server
 */
export const openMailbox = (site: Site, isLocalOutbox: boolean, addDelivery: AddDelivery): Mail => ({
  isLocalOutbox,
  write: async (tx, kind, recipient, data) => {
    const { id } = await tx.email.create({ data: { kind, recipient, ...composeEmail(kind, data, site) } });
    await addDelivery(tx, id);
  },
});
