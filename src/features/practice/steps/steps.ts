/** A lesson of a course that is played in small steps, as the list of its steps has it. */
export interface Step {
  id: number;
  title: string;
  section: string;
  /** Completed, as the server knows it. */
  done: boolean;
}

/** A course that is played in small steps. */
export interface SteppedCourse {
  id: number;
  title: string;
  steps: Step[];
}
