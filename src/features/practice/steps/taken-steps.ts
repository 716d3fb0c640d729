// Who signs in here has what they passed as a visitor taken along; who kept nothing loads nothing of it.
try {
  if (Object.keys(localStorage).some((key) => key.startsWith('kept_steps:'))) void take();
} catch {
  // Storage may be switched off.
}

async function take(): Promise<void> {
  const line = document.querySelector('[data-taken-steps]');
  const [{ keptCourses }, { takeAlong, takenText }] = await Promise.all([
    import('./kept-steps.ts'),
    import('./take-along.ts'),
  ]);
  const texts = new Map<number, string>();
  for (const courseId of keptCourses()) {
    takeAlong(courseId, (outcome) => {
      // A course that has left the store would be named at each visit.
      if (!outcome.enrolled && outcome.waitMs === null) return;
      texts.set(courseId, takenText(outcome));
      line?.replaceChildren([...texts.values()].join(' '));
    });
  }
}

// Else its names would be global.
export {};
