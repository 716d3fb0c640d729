/** @param key the mailed link's secret, carried from page to page */
export function orderPath(
  orderId: number,
  key: string | null = null,
  below: '' | '/invoice' | '/invoice.pdf' | '/corrected-invoice.pdf' | `/credit-notes/${string}.pdf` = '',
): string {
  return `/orders/${orderId}${below}${key ? `?token=${encodeURIComponent(key)}` : ''}`;
}
