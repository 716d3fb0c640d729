/** What those who run an organisation see of its learners, and what they never do (decision 103). */
export const WHAT_IS_SEEN =
  'An organisation sees whether its people have begun, how far they are, and their certificates. It never sees answers, notes, questions or programs.';

/** Billing details before anybody has given any. */
export const emptyBilling = (company: string) => ({
  company,
  address: '',
  country: '',
  vatNumber: '',
  purchaseOrder: '',
  costCentre: '',
});
