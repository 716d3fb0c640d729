import { OWNERS_ONLY, PAYING, type Words } from './words.server.ts';

export const organisations: Words = {
  'POST /api/organisations/{id}/orders/{order}/cancel': {
    says: 'Cancel an order by invoice whose seats are not open yet.',
    refuses: {
      conflict: 'The seats of this order are open already, so it cannot be canceled here.',
      not_found: 'There is no such order by invoice.',
    },
  },
  'POST /api/organisations/{id}/payment': {
    says: 'Begin to pay for seats of courses and bundles by card. `amount` is the total that was shown, and a different one is refused.',
    limit: 'checkout',
    refuses: {
      ...PAYING,
      bad_request: 'This course is free: people can enroll themselves, without a seat.',
      conflict: 'A payment of yours needs a look by our staff. Please contact support.',
      not_found: 'There is no such organization.',
      price_changed: 'The total has changed. Please check it before you pay.',
    },
  },
  'POST /api/seats/{seat}/give-back': {
    says: 'Give back a seat of yours that you have not begun to use.',
    refuses: {
      conflict: 'This seat was paid back and is not in use any more.',
      not_found: 'You have no such seat, or not any more.',
    },
  },
  'POST /api/organisations/{id}/seats': {
    says: 'Offer free seats of a course or a bundle to people by email. `dryRun` only says what would happen; without it the lines that are right are done, or none of them where seats run short.',
    limit: 'organisation-mail',
    refuses: { ...OWNERS_ONLY, conflict: '{2 seats are} free, and the list needs {5}. Nobody was invited.' },
  },
  'POST /api/organisations/{id}/members': {
    says: 'Invite somebody to run the organization with you.',
    limit: 'organisation-members',
    refuses: { ...OWNERS_ONLY, conflict: '{ada@example.com} runs the organization already.' },
  },
  'POST /api/join': {
    says: 'Take an invitation or a seat by the secret of its link.',
    limit: 'join',
    refuses: {
      already_owned: 'You have your seat already.',
      conflict: 'All seats are taken. Ask your organization for another one.',
      forbidden: 'Please confirm your email address first, then open this link again.',
      not_found: 'This link does not work any more. Ask your organization for a new one.',
    },
  },
  'POST /api/organisations': {
    says: 'Open an organization. You are its first owner.',
    limit: 'organisation-new',
    refuses: { conflict: 'You can run {10} organizations at most.' },
  },
  'POST /api/organisations/{id}/invoice': {
    says: 'Order seats of courses and bundles that are paid by bank transfer against an invoice.',
    limit: 'checkout',
    refuses: {
      ...OWNERS_ONLY,
      bad_request: 'This course is free: people can enroll themselves, without a seat.',
      price_changed: 'The total has changed. Please check it before you order.',
      conflict: '{20} orders of your organization wait already. Cancel one, or wait.',
    },
  },
  'POST /api/organisations/{id}/seats/{seat}/remind': {
    says: 'Remind somebody of a seat that was not taken yet.',
    limit: 'organisation-mail',
    refuses: { ...OWNERS_ONLY, conflict: 'This seat is free already.' },
  },
  'DELETE /api/organisations/{id}/members/{user}': {
    says: 'Take somebody out of those who run the organization, or leave it yourself.',
    refuses: {
      conflict: 'An organization needs an owner. Invite another one first, then take this one out.',
      forbidden: 'Only an owner of the organization can do this.',
      not_found: 'There is no such member.',
    },
  },
  'PUT /api/organisations/{id}': {
    says: 'Rename an organization.',
    refuses: { ...OWNERS_ONLY },
  },
  'PUT /api/organisations/{id}/billing': {
    says: "Write whom the organization's invoices name.",
    refuses: { ...OWNERS_ONLY },
  },
  'PUT /api/organisations/{id}/due': {
    says: 'Set the day by whose end your people should have completed a course or a bundle; null takes it away.',
    refuses: { ...OWNERS_ONLY },
  },
  'PUT /api/organisations/{id}/link': {
    says: 'Make the link by which people of your domains take a seat themselves. No domains end it.',
    refuses: { ...OWNERS_ONLY },
  },
  'DELETE /api/organisations/{id}/invitations/{invitation}': {
    says: 'Take back an invitation to run the organization.',
    refuses: {
      forbidden: 'Only an owner of the organization can do this.',
      not_found: 'There is no such invitation any more.',
    },
  },
  'POST /api/organisations/{id}/seats/bulk': {
    says: 'Mail open offers again, take seats back, or move people who have not begun to free seats of `to`. Those with which it cannot be done are told and stay as they are.',
    limit: 'organisation-mail',
    refuses: {
      ...OWNERS_ONLY,
      conflict: '{2 seats are} free there, and you chose {5 people}. Nobody was moved.',
    },
    input: { action: 'move', seats: [7, 8], to: { courseId: 7 } },
  },
  'POST /api/organisations/{id}/seats/{seat}/take-back': {
    says: 'Take back a seat whose learner has not begun, or has been away as long as the rule says.',
    refuses: { ...OWNERS_ONLY, conflict: 'This seat is free already.' },
  },
  'POST /api/organisations/{id}/webhooks': {
    says: 'Have events sent to an address of yours. The secret that signs them is told only now.',
    limit: 'webhooks',
    refuses: { ...OWNERS_ONLY, conflict: 'This address is there already' },
  },
  'PUT /api/organisations/{id}/webhooks/{webhook}': {
    says: 'Choose what a webhook is told, or pause it.',
    limit: 'webhooks',
    refuses: { ...OWNERS_ONLY },
  },
  'DELETE /api/organisations/{id}/webhooks/{webhook}': {
    says: 'Delete a webhook.',
    limit: 'webhooks',
    refuses: { ...OWNERS_ONLY },
  },
  'POST /api/organisations/{id}/deliveries/{delivery}/again': {
    says: 'Send an event of the log again.',
    limit: 'webhooks',
    refuses: {
      conflict: 'The webhook is paused. Resume it first.',
      forbidden: 'Only an owner of the organization can do this.',
      not_found: 'There is no such delivery.',
    },
  },
  'POST /api/organisations/{id}/webhooks/{webhook}/test': {
    says: 'Send a trial event to a webhook.',
    limit: 'webhooks',
    refuses: { ...OWNERS_ONLY, conflict: 'The webhook is paused. Resume it first.' },
  },
};
