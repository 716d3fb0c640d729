/** A lesson of a course that is played in small steps, as the list of its steps has it. */
export interface Step {
  id: number;
  title: string;
  section: string;
  done: boolean;
}

export interface SteppedCourse {
  id: number;
  title: string;
  steps: Step[];
}
