"""Running submissions: the sandbox and its budgets, the queue, teams, phases and what they see."""
