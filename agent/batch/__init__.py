"""Many evaluations: a job table, a process group a job, a supervisor outside them, and one terminal state for each job."""
