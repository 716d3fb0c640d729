/**
 * The path of an order's page, or of a page below it.
 *
 * @param key the secret of a mailed link, which has to go along from page to page
 */
export function orderPath(
  orderId: number,
  key: string | null = null,
  below: '' | '/invoice' | '/invoice.pdf' | '/corrected-invoice.pdf' | `/credit-notes/${string}.pdf` = '',
): string {
  return `/orders/${orderId}${below}${key ? `?token=${encodeURIComponent(key)}` : ''}`;
}
