class PageTabs extends HTMLElement {
  connectedCallback(): void {
    this.addEventListener('click', (event) => {
      const tab = (event.target as Element).closest<HTMLAnchorElement>('[role=tab]');
      if (!tab || event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return;
      event.preventDefault();
      this.open(tab);
    });
    this.addEventListener('keydown', (event) => {
      const tabs = this.tabs();
      const at = tabs.indexOf(event.target as HTMLAnchorElement);
      if (at < 0) return;
      const to =
        {
          ArrowRight: (at + 1) % tabs.length,
          ArrowLeft: (at + tabs.length - 1) % tabs.length,
          Home: 0,
          End: tabs.length - 1,
        }[event.key] ?? (event.key === ' ' ? at : -1);
      if (to < 0) return;
      event.preventDefault();
      this.open(tabs[to]!);
      tabs[to]!.focus();
    });
    this.markOpen();
  }

  private tabs(): HTMLAnchorElement[] {
    return [...this.querySelectorAll<HTMLAnchorElement>(':scope > [role=tablist] > [role=tab]')];
  }

  private open(tab: HTMLAnchorElement): void {
    for (const other of this.tabs()) {
      other.setAttribute('aria-selected', String(other === tab));
      const panel = document.getElementById(other.getAttribute('aria-controls') ?? '');
      if (panel) panel.hidden = other !== tab;
    }
    this.markOpen();
    // A reload or copied link opens the same tab.
    history.replaceState(history.state, '', tab.href);
  }

  // One tab stop; arrows move between tabs.
  private markOpen(): void {
    for (const tab of this.tabs()) tab.tabIndex = tab.getAttribute('aria-selected') === 'true' ? 0 : -1;
  }
}

if (!customElements.get('page-tabs')) customElements.define('page-tabs', PageTabs);
