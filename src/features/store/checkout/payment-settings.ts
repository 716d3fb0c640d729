/** What a payment form needs to know. */
export type PaymentSettings = {
  publishableKey: string;
  /** True with the sandbox and with test keys: no card is charged (decision 27). */
  testMode: boolean;
  /** Address of the stand-in's page script; null where the provider's own script is loaded. */
  scriptUrl: string | null;
};
