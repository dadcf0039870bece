#include "accuracy/time-to-accuracy.h"
