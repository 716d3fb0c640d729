export function openTab<T extends readonly { value: string }[]>(tabs: T, address: URL): string {
  const asked = address.searchParams.get('tab');
  return tabs.find(({ value }) => value === asked)?.value ?? tabs[0]?.value ?? '';
}
