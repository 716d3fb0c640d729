import { lazy, Suspense, useEffect, useState } from 'react';
import { Button } from '#src/components/Button.tsx';
import { Spinner } from '#src/components/Spinner.tsx';
import type { ScenarioInput } from '#src/features/scenario/scenario.ts';
import type { EditorPartProps } from '#src/features/authoring/lesson-editor/lessons.ts';
import { FieldProblem } from '#src/components/FieldProblem.tsx';
import { newScenario } from '#src/features/authoring/scenario-editor/scenario-draft.ts';
import { SCENARIO_EXAMPLE } from '#src/features/authoring/scenario-editor/scenario-example.ts';

// Lessons of other types never need it.
const ScenarioEditor = lazy(async () => ({
  default: (await import('#src/features/authoring/scenario-editor/ScenarioEditor.tsx')).ScenarioEditor,
}));

export function ScenarioPart({ values, errors, onChange: tell }: EditorPartProps) {
  const value = values.scenario;
  const onChange = (scenario: ScenarioInput) => tell(() => ({ scenario }));
  // The server renders in one go and cannot wait for it.
  const [isInBrowser, setIsInBrowser] = useState(false);
  useEffect(() => setIsInBrowser(true), []);
  const problems = Object.entries(errors).filter(
    ([path]) => path === 'scenario' || path.startsWith('scenario.'),
  );
  return (
    <section aria-labelledby="scenario-heading">
      <input type="hidden" name="scenario" />
      <h2 id="scenario-heading" className="text-subheading">
        Scenario
      </h2>
      {problems.map(([path, message]) => (
        <FieldProblem key={path}>
          {path === 'scenario' ? message : `${path.slice('scenario.'.length)}: ${message}`}
        </FieldProblem>
      ))}
      <div className="mt-4">
        {value === null ? (
          <div className="card px-5 py-6 sm:px-6">
            <p className="max-w-prose text-ink-soft">
              A scenario has a situation, goals, and rules that say what each action does. Begin with a small
              one that works and change it into yours, or with an empty form.
            </p>
            <div className="mt-4 flex flex-wrap gap-2.5">
              <Button variant="secondary" onClick={() => onChange(structuredClone(SCENARIO_EXAMPLE))}>
                Write the scenario
              </Button>
              <Button variant="ghost" onClick={() => onChange(newScenario())}>
                Begin with an empty form
              </Button>
            </div>
          </div>
        ) : isInBrowser ? (
          <Suspense fallback={<Spinner label="Loading the scenario editor" showLabel />}>
            <ScenarioEditor value={value} onChange={onChange} />
          </Suspense>
        ) : (
          <Spinner label="Loading the scenario editor" showLabel />
        )}
      </div>
    </section>
  );
}
