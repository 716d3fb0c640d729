import type { Appearance } from '@stripe/stripe-js';
import { isDark, shownColor } from '#src/components/color-scheme.ts';

/** Design tokens for the provider's frame, read from the page's styles. */
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
