import type { Appearance } from '@stripe/stripe-js';
import { isDark, shownColor } from '#src/components/color-scheme.ts';

/**
 * The design tokens in the provider's words: its form lives in a frame that our styles do not reach. The values are
 * read from the page, so that they have one home.
 */
export function paymentAppearance(): Appearance {
  const styles = getComputedStyle(document.documentElement);
  return {
    theme: isDark() ? 'night' : 'stripe',
    variables: {
      colorPrimary: shownColor('--color-accent'),
      colorBackground: shownColor('--color-surface'),
      colorText: shownColor('--color-ink'),
      colorTextSecondary: shownColor('--color-ink-soft'),
      colorTextPlaceholder: shownColor('--color-ink-faint'),
      colorDanger: shownColor('--color-danger'),
      borderRadius: styles.getPropertyValue('--radius-md').trim(),
      fontFamily: 'system-ui, sans-serif',
      fontSizeBase: '16px',
      spacingUnit: '4px',
    },
    rules: { '.Input': { borderColor: shownColor('--color-line-strong'), boxShadow: 'none' } },
  };
}
