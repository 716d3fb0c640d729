import { findUserIdByEmail } from '#src/features/account/roles.server.ts';
import { closedChoicesUrl, openChoicesUrl } from '#src/server/mail/mail-choices.ts';
import { withDatabase } from '../../scripts/with-database.ts';

// Prints the address with which an account's mails about courses are switched off, from the database of a running site.
const [email = ''] = process.argv.slice(2);
await withDatabase(async () => {
  const id = await findUserIdByEmail(email);
  if (id === null) throw new Error(`There is no account with the email ${email}.`);
  return openChoicesUrl(closedChoicesUrl(['learning']), id);
});
