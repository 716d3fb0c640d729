import type { AstroGlobal } from 'astro';
import { findOwnOrganisation } from '#src/features/organisations/members.server.ts';
import {
  findBilling,
  readSeatChoice,
} from '#src/features/organisations/orders/organisation-orders.server.ts';
import { emptyBilling } from '#src/features/organisations/organisations.ts';
import { parseCount } from '#src/shared/list-query.ts';
import { loginPath } from '#src/shared/paths.ts';

/** The organization of the page's address; signed out, the way to sign in. */
export async function ownOrganisationOf(page: AstroGlobal) {
  const { user } = page.locals;
  if (!user) return page.redirect(loginPath(page.url.pathname + page.url.search), 302);
  const id = parseCount(page.params.id);
  const own = id === null ? null : await findOwnOrganisation(user.id, id);
  if (!own) page.response.status = 404;
  return { user, own };
}

/** What the page of an order shows; without a choice in its address, the way to the page before. */
export async function openSeatOrder(page: AstroGlobal) {
  const asked = await ownOrganisationOf(page);
  if (asked instanceof Response) return asked;
  const { own } = asked;
  if (!own) return null;
  const choice = await readSeatChoice(own.id, page.url.searchParams);
  if (!choice) return page.redirect(`/organisations/${own.id}/buy${page.url.search}`, 302);
  return { own, choice, billing: (await findBilling(own.id)) ?? emptyBilling(own.name) };
}
