import type { Appearance } from '@stripe/stripe-js';

/**
 * The design tokens in the provider's words: its form lives in a frame that our styles do not reach. The values are
 * read from the page, so that they have one home.
 */
export function paymentAppearance(): Appearance {
  const styles = getComputedStyle(document.documentElement);
  const token = (name: string) => styles.getPropertyValue(name).trim();
  return {
    theme: 'stripe',
    variables: {
      colorPrimary: token('--color-accent'),
      colorBackground: token('--color-surface'),
      colorText: token('--color-ink'),
      colorTextSecondary: token('--color-ink-soft'),
      colorTextPlaceholder: token('--color-ink-faint'),
      colorDanger: token('--color-danger'),
      borderRadius: token('--radius-md'),
      fontFamily: 'system-ui, sans-serif',
      fontSizeBase: '16px',
      spacingUnit: '4px',
    },
    rules: { '.Input': { borderColor: token('--color-line-strong'), boxShadow: 'none' } },
  };
}
